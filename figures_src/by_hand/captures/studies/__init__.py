"""The findings: what is measured in the trained model, a study a module."""
