"""Small figures of the explainer's sections, one module a section."""
