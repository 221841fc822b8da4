"""What is read and never computed: photographs, captures of the trained model, sizes of models, times."""
