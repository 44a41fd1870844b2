# holdem
