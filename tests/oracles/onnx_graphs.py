"""What is asked of ONNX models in several scripts: the graphs that nest in one."""
import onnx


def graphs_in(graph):
    """`graph` and the graphs in its nodes, at any depth."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from graphs_in(attribute.g)
            for each in attribute.graphs:
                yield from graphs_in(each)
