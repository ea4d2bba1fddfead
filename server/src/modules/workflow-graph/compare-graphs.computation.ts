import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { diffGraphs, type GraphDiff } from './diff.ts'

export const compute = ({ before, after }: { before: Graph; after: Graph }): GraphDiff => diffGraphs(before, after)
