"""Features made from columns and documents."""
