"""How the captures of the trained model were made; one idea a module. `make.py` runs them."""
