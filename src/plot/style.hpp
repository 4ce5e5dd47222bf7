// Colours and sizes of all pictures, light and dark.
//
// The palette is that of Okabe and Ito (2008), made for readers who do not see all colours, without its yellow, which
// is lost on white paper; on dark paper the same hues are lighter. Colours are classes of a style sheet inside the
// picture, so one file serves both.
#pragma once

#include <string>
#include <string_view>

namespace recta::plot {

inline constexpr int kColours = 7;
inline constexpr double kTitleSize = 17, kTextSize = 13, kSmallSize = 12;

inline constexpr std::string_view kStyle =
    R"(.recta text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;font-size:12px;fill:#57606a}
.recta .title{font-size:17px;font-weight:600;fill:#1f2328}
.recta .label{font-size:13px;fill:#1f2328}
.recta .name{font-size:13px}
.recta .halo{font-size:13px;stroke:#fff;stroke-width:4;stroke-linejoin:round;fill:#fff}
.recta .paper{fill:#fff}
.recta .grid{stroke:#e8eaed;stroke-width:1}
.recta .axis{stroke:#8c959f;stroke-width:1;fill:none}
.recta .line{fill:none;stroke-width:2.2;stroke-linejoin:round;stroke-linecap:round}
.recta .thin{fill:none;stroke-width:1.2;stroke-linejoin:round}
.recta .dash{stroke-dasharray:7 5}
.recta .dots{fill:none;stroke-linecap:round}
.recta .s0{stroke:#0072b2}.recta .f0{fill:#0072b2}
.recta .s1{stroke:#d55e00}.recta .f1{fill:#d55e00}
.recta .s2{stroke:#009e73}.recta .f2{fill:#009e73}
.recta .s3{stroke:#b8639a}.recta .f3{fill:#b8639a}
.recta .s4{stroke:#e69f00}.recta .f4{fill:#e69f00}
.recta .s5{stroke:#56b4e9}.recta .f5{fill:#56b4e9}
.recta .s6{stroke:#7a6a4f}.recta .f6{fill:#7a6a4f}
.recta .ink{stroke:#1f2328}.recta .fink{fill:#1f2328}
.recta .soft{stroke:#8c959f}.recta .fsoft{fill:#8c959f}
@media (prefers-color-scheme:dark){
.recta text{fill:#9aa4af}
.recta .title,.recta .label,.recta .fink{fill:#e6edf3}
.recta .halo{stroke:#14171c;fill:#14171c}
.recta .paper{fill:#14171c}
.recta .grid{stroke:#262c34}
.recta .axis{stroke:#6e7681}
.recta .ink{stroke:#e6edf3}
.recta .s0{stroke:#3fa7f0}.recta .f0{fill:#3fa7f0}
.recta .s1{stroke:#ff8a3c}.recta .f1{fill:#ff8a3c}
.recta .s2{stroke:#2fc295}.recta .f2{fill:#2fc295}
.recta .s3{stroke:#e59ccb}.recta .f3{fill:#e59ccb}
.recta .s4{stroke:#f2b632}.recta .f4{fill:#f2b632}
.recta .s5{stroke:#9ad4f7}.recta .f5{fill:#9ad4f7}
.recta .s6{stroke:#c3b08d}.recta .f6{fill:#c3b08d}
}
)";

std::string stroke_class(int colour);
std::string fill_class(int colour);

} // namespace recta::plot
