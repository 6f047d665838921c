"""The paper's model in PyTorch: what Handful's speed is measured against."""
