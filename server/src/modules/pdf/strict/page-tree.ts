/** The pages of a file in order, each with what it inherits. A tree that is not one is refused. */
import type { StrictFile } from './strict-file.ts'
import { canonical, type Dict, integerIn, ReadersDisagree, SyntaxProblem, type Value } from './syntax.ts'
import { nameOf, requireDict } from './values.ts'

export interface FoundPage {
  /** Of its object. */
  number: number
  entries: Dict
  /** Its own or that of the nearest node above. */
  inherited(key: Inheritable): Value | undefined
}

type Inheritable = (typeof inheritable)[number]
const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const

const maxDepth = 64

/** `most`: more are not read. */
export const pagesOf = (file: StrictFile, catalog: Dict, most: number): FoundPage[] => {
  const { resolve } = file
  const found: FoundPage[] = []
  const seen = new Set<number>()

  /** Answers how many pages it has found below. */
  const visit = (given: Value | undefined, above: readonly Node[]): number => {
    if (given?.kind !== 'ref') throw new SyntaxProblem('a page is no object of its own')
    if (seen.has(given.number)) throw new SyntaxProblem('a page is there twice')
    seen.add(given.number)
    if (above.length > maxDepth) throw new SyntaxProblem('its page tree is too deep')
    const entries = requireDict(resolve(given), 'a page')
    const path = [{ number: given.number, entries }, ...above]
    const type = nameOf(resolve(entries.get('Type')))
    if (type === 'Page' && !entries.has('Kids')) {
      requireSameParents(file, path)
      if (found.length <= most) found.push(pageIn(path, given.number))
      return 1
    }
    const kids = resolve(entries.get('Kids'))
    if (type !== 'Pages' || kids?.kind !== 'array')
      throw new SyntaxProblem('its page tree has something that is no page')
    const count = kids.items.reduce((sum, kid) => sum + visit(kid, path), 0)
    if (integerIn(resolve(entries.get('Count'))) !== count)
      throw new SyntaxProblem(`its page tree has ${count} pages and says otherwise`)
    return count
  }
  visit(catalog.get('Pages'), [])
  return found
}

interface Node {
  number: number
  entries: Dict
}

const pageIn = (path: readonly Node[], number: number): FoundPage => ({
  number,
  entries: path[0]?.entries ?? new Map(),
  inherited: (key) => path.find(({ entries }) => entries.has(key))?.entries.get(key),
})

/** Some readers inherit from the node that lists a page, others from the one that the page names. */
const requireSameParents = ({ resolve }: StrictFile, path: readonly Node[]): void => {
  for (const key of inheritable) {
    const listed = path.find(({ entries }) => entries.has(key))?.entries.get(key)
    if (canonical(listed) !== canonical(namedValue(resolve, path[0]?.entries, key)))
      throw new ReadersDisagree('a page names another parent than it has')
  }
}

const namedValue = (resolve: StrictFile['resolve'], page: Dict | undefined, key: string): Value | undefined => {
  let node = page
  for (let depth = 0; node && depth <= maxDepth; depth += 1) {
    if (node.has(key)) return node.get(key)
    const parent = resolve(node.get('Parent'))
    node = parent?.kind === 'dict' ? parent.entries : undefined
  }
  return undefined
}
