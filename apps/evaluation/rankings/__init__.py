"""Rankings: answers under several conditions, ranked blind by people or a judge (E3)."""
