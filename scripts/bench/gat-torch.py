"""A training step of the network of Graph of Records in torch: one edge list, on one thread."""
import torch
from comparator import serve


class Layer(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.linear = torch.nn.Linear(dim, dim, bias=False)
        self.source = torch.nn.Parameter(torch.randn(dim) * 0.07)
        self.target = torch.nn.Parameter(torch.randn(dim) * 0.07)
        self.norm = torch.nn.BatchNorm1d(dim)
        self.prelu = torch.nn.PReLU(dim)
        self.drop = torch.nn.Dropout(0.2)
        self.drop_attention = torch.nn.Dropout(0.1)

    def forward(self, x, source, target):
        z = self.linear(self.drop(x))
        raw = torch.nn.functional.leaky_relu((z @ self.source)[source] + (z @ self.target)[target], 0.2)
        most = torch.full((len(x),), -torch.inf).scatter_reduce(0, target, raw.detach(), "amax")
        weight = torch.exp(raw - most[target])
        total = torch.zeros(len(x)).index_add(0, target, weight)
        attention = self.drop_attention(weight / total[target])
        out = torch.zeros_like(x).index_add(0, target, attention[:, None] * z[source])
        return self.prelu(self.norm(out))


def training(nodes, queries, dim, steps):
    torch.set_num_threads(1)
    torch.manual_seed(42)
    layers = torch.nn.ModuleList([Layer(dim), Layer(dim)])
    optimiser = torch.optim.Adam(layers.parameters(), lr=1e-3)
    features = torch.nn.functional.normalize(torch.randn(nodes, dim), dim=1)
    asked = torch.nn.functional.normalize(torch.randn(queries, dim), dim=1)
    order = torch.stack([torch.randperm(nodes) for _ in range(queries)])
    edges = torch.randint(0, nodes, (2, 6 * queries))
    loops = torch.arange(nodes)
    source, target = torch.cat([edges[0], loops]), torch.cat([edges[1], loops])
    first, second = torch.triu_indices(nodes, nodes, offset=1)


    def step():
        optimiser.zero_grad()
        one = layers[0](features, source, target)
        output = torch.maximum(one, layers[1](one, source, target))
        scores = (asked @ output.T).gather(1, order)
        contrastive = (torch.logsumexp(scores, 1) - scores[:, 0]).mean()
        difference = (scores[:, first] - scores[:, second]).clamp(-50, 50)
        loss = contrastive + 0.5 * torch.log1p(torch.exp(-difference)).mean()
        loss.backward()
        optimiser.step()

    def work():
        for _ in range(steps):
            step()

    return {"about": f"torch {torch.__version__}, float32, 1 thread", "work": work}


serve(training=training)
