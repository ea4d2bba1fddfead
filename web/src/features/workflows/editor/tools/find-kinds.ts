/** Finds node types whose name or description has a word starting with the typed text. */
import { type NodeType, nodeTypes } from '@chancery/contract/workflows/graph.ts'
import { nodeKinds } from '../../kinds/node-kinds.ts'

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

export function findKinds(text: string): NodeType[] {
  const typed = wordsOf(text)
  const hits = (words: readonly string[]) => typed.every((start) => words.some((word) => word.startsWith(start)))
  const byName = nodeTypes.filter((type) => hits(wordsOf(nodeKinds[type].label)))
  const byPurpose = nodeTypes.filter((type) => !byName.includes(type) && hits(wordsOf(nodeKinds[type].purpose)))
  return [...byName, ...byPurpose]
}
