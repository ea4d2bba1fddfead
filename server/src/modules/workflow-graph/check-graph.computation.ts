import type { Graph, GraphProblem } from '@chancery/contract/workflows/graph.ts'
import { validateGraph } from './validate.ts'

export const compute = ({ graph, id }: { graph: Graph; id: string }): GraphProblem[] => validateGraph(graph, id)
