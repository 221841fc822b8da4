"""What 1 means in the attention mask of Transformers, as docs/masks.md says it: the position is read."""

import torch
from transformers import BertConfig, BertModel


def test_one_means_read_in_transformers() -> None:
    torch.manual_seed(0)
    small = BertConfig(
        vocab_size=10,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
    )
    model = BertModel(small).eval()
    words, other = torch.tensor([[1, 2, 3, 4]]), torch.tensor([[1, 2, 3, 9]])  # the last differs

    def change(mask: list[int]) -> float:
        with torch.no_grad():
            rows = [
                model(input_ids=ids, attention_mask=torch.tensor([mask])).last_hidden_state
                for ids in (words, other)
            ]
        return float((rows[0] - rows[1])[:, :3].abs().max())  # of the rows that stay the same

    assert change([1, 1, 1, 0]) == 0, "0: the last position is read by nobody"
    assert change([1, 1, 1, 1]) > 1e-6
    assert change([0, 0, 0, 1]) > 1e-6, "the other meaning: only the last is read"
