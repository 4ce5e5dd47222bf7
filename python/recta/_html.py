"""How a fitted model looks in a notebook: what it is, the objective in mathematics, the certificate."""

import html
import re

COLOURS = {"proved": "#1a7f37", "within_tolerance": "#9a6700", "stopped_early": "#9a6700", "refuted": "#cf222e"}
LIMIT = 30

MATHEMATICS = {
    "linear": r"F(w,b)=\tfrac12\sum_i s_i\,(y_i-b-\langle w,x_i\rangle)^2",
    "ridge": r"F(w,b)=\tfrac12\sum_i s_i\,(y_i-b-\langle w,x_i\rangle)^2+\tfrac{\lambda}{2}\sum_j w_j^2",
    "ridge-classifier": r"F(w,b)=\tfrac12\sum_i s_i\,(y_i-b-\langle w,x_i\rangle)^2+\tfrac{\lambda}{2}\sum_j w_j^2",
    "huber": r"F(w,b,s)=\tfrac{s}{2}+\sum_i s_i\,s\,h\!\left(\frac{y_i-b-\langle w,x_i\rangle}{s}\right)+\tfrac{\lambda}{2}\sum_j w_j^2",
    "quantile": r"F(w,b)=\sum_i s_i\,\max(q\,r_i,(q-1)\,r_i)+\lambda_1\sum_j |w_j|,\;r_i=y_i-b-\langle w,x_i\rangle",
    "epsilon-insensitive": r"F(w,b)=\sum_i s_i\,\max(0,|y_i-b-\langle w,x_i\rangle|-\epsilon)+\lambda_1\sum_j |w_j|",
    "svm": r"F(w,b)=\sum_i s_i\,\max(0,1-y_i f(x_i))+\tfrac{\lambda}{2}\|w\|^2,\;f(x)=\langle w,\phi(x)\rangle+b",
    "kernel-perceptron": r"y_i f(x_i)>0,\;f(x)=\langle w,\phi(x)\rangle+b",
    "kernel-ridge": r"F(w,b)=\tfrac{1}{2}\sum_i s_i\,(y_i-f(x_i))^2+\tfrac{\lambda}{2}\|w\|^2,\;f(x)=\langle w,\phi(x)\rangle+b",
    "svr": r"F(w,b)=\sum_i s_i\,\max(0,|y_i-f(x_i)|-\epsilon)+\tfrac{\lambda}{2}\|w\|^2,\;f(x)=\langle w,\phi(x)\rangle+b",
    "nu-svm": r"F(w,b)=\sum_i s_i\,\max(0,1-y_i f(x_i))+\tfrac{\lambda}{2}\|w\|^2,\;\lambda\text{ of }\nu",
    "nu-svr": r"F(w,b,\epsilon)=\nu\epsilon+\sum_i s_i\,\max(0,|y_i-f(x_i)|-\epsilon)+\tfrac{\lambda}{2}\|w\|^2",
    "poisson": r"F(w,b)=\sum_i s_i\,(e^{z_i}-y_i-y_i(z_i-\log y_i))+\tfrac{\lambda}{2}\sum_j w_j^2,\;z_i=\langle w,x_i\rangle+b",
    "gamma": r"F(w,b)=\sum_i s_i\,(y_i e^{-z_i}-1-(\log y_i-z_i))+\tfrac{\lambda}{2}\sum_j w_j^2,\;z_i=\langle w,x_i\rangle+b",
    "logistic": r"F(w,b)=\sum_i s_i\,\log(1+e^{-y_i z_i})+\lambda_1\sum_j |w_j|+\tfrac{\lambda_2}{2}\sum_j w_j^2,\;z_i=\langle w,x_i\rangle+b",
    "softmax": r"F(W,b)=\sum_i s_i\,(\log\sum_k e^{z_{ik}}-z_{iy_i})+\lambda_1\sum_{jk} |w_{jk}|+\tfrac{\lambda_2}{2}\sum_{jk} w_{jk}^2,\;z_{ik}=\langle w_k,x_i\rangle+b_k",
    "perceptron": r"J(w,b)=\sum_i s_i\,\max(0,-y_i z_i),\;z_i=\langle w,x_i\rangle+b",
    "delta": r"F(w,b)=\tfrac12\sum_i s_i\,(t_i-\sigma(z_i))^2,\;z_i=\langle w,x_i\rangle+b",
    "lasso": r"F(w,b)=\tfrac12\sum_i s_i\,(y_i-b-\langle w,x_i\rangle)^2+\lambda\sum_j |w_j|",
    "group-lasso": r"F(w,b)=\tfrac12\sum_i s_i\,(y_i-b-\langle w,x_i\rangle)^2+\lambda_1\sum_g f_g\|w_g\|+\tfrac{\lambda_2}{2}\|w\|^2",
    "multi-task-lasso": r"F(w,b)=\tfrac12\sum_{i,t} s_i\,(y_{it}-b_t-\langle w_t,x_i\rangle)^2+\lambda\sum_j\|w_j\|",
    "multi-task-elastic-net":
        r"F(w,b)=\tfrac12\sum_{i,t} s_i\,(y_{it}-b_t-\langle w_t,x_i\rangle)^2+\lambda_1\sum_j\|w_j\|+\tfrac{\lambda_2}{2}\sum_j\|w_j\|^2",
    "elastic-net": r"F(w,b)=\tfrac12\sum_i s_i\,(y_i-b-\langle w,x_i\rangle)^2+\lambda_1\sum_j |w_j|+\tfrac{\lambda_2}{2}\sum_j w_j^2",
}


def mathematics(core):
    """Of the lasso and the elastic net with what was asked of single columns and of their sum."""
    text = MATHEMATICS.get(core.word, html.escape(core.objective))
    if core.word not in ("lasso", "elastic-net"):
        return text
    over = []
    if "psi" in core.objective:
        text = text.replace(r"+\lambda\sum_j |w_j|", "").replace(r"+\lambda_1\sum_j |w_j|", "")
        over.append(r"\sum_j |w_j|\le\psi")
    if "lower_j" in core.objective:
        over.append(r"l_j\le w_j\le u_j")
    elif "w_j >= 0" in core.objective:
        over.append(r"w_j\ge 0")
    text = r",\;".join([text, *over])
    return text.replace("|w_j|", "v_j|w_j|").replace("w_j^2", "v_j w_j^2") if "v_j" in core.objective else text


def objective_line(core):
    """The objective with the strengths that it names filled in."""
    values = {"lambda": lambda: getattr(core, "lambda1", 0) or core.lambda2,  # several models joined into one have squares only
              "lambda1": lambda: core.lambda1, "lambda2": lambda: core.lambda2, "psi": lambda: core.params["psi"]}
    shown = []
    for name in dict.fromkeys(re.findall(r"\b(?:lambda[12]?|psi)\b(?! = )", core.objective)):
        if f"{name} = " in core.objective:
            continue  # it says so itself
        value = values[name]()
        each = value if isinstance(value, list) else [value]
        shown.append(f"{name} = {', '.join(f'{value:.6g}' for value in each)}")
    return ",  ".join([core.objective, *shown])


def _coefficients(core):
    if not getattr(core, "is_linear", True):
        return ""
    weights, names = core.coefficients, core.feature_names
    names_of_columns = core.classes if len(weights) > 1 and core.classes else core.targets
    head = "".join(f"<th>{html.escape(target)}</th>" for target in names_of_columns)
    rows = [f"<tr><td>intercept</td>{''.join(f'<td>{b:.6g}</td>' for b in core.intercepts)}</tr>"] if core.has_intercept else []
    rows += [f"<tr><td>{html.escape(name)}</td>{''.join(f'<td>{w:.6g}</td>' for w in weights[:, j])}</tr>"
             for j, name in enumerate(names[:LIMIT])]
    if len(names) > LIMIT:
        rows.append(f"<tr><td>and {len(names) - LIMIT} more</td></tr>")
    return f"<details><summary>coefficients</summary><table><tr><th></th>{head}</tr>{''.join(rows)}</table></details>"


def model_html(core, title=None):
    certificate = core.certificate
    colour = COLOURS[certificate.verdict]
    return (
        f"<div><b>{html.escape(title or core.word)}</b>, {len(core.feature_names)} features, {core.rows} rows"
        f"<div>$${mathematics(core)}$$</div>"
        f"<div><code>{html.escape(objective_line(core))}</code></div>"
        f"{_coefficients(core)}"
        f"<div style='border-left:4px solid {colour};padding-left:8px'><b style='color:{colour}'>{certificate.verdict}"
        f"</b> {html.escape(certificate.sentence)}</div></div>"
    )
