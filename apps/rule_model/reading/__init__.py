"""What sentences of memory say: whom they name, when, what news, how close two people are.

Part of the stand-in: rules, not a language model. It finds patterns in words that are
given to it and understands none of them; a sentence that fits no pattern says nothing.
"""
