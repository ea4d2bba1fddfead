/** A page anew: its size and turn, what is drawn on it, and its annotations as a part of that. */
import { formDrawing, pageGroup } from '../allow-list/drawings.ts'
import { requireNear } from '../content/positions.ts'
import { type Box, boxOf, type VisiblePage, visibleBox } from '../read/page-geometry.ts'
import { unpack } from '../strict/filters.ts'
import type { FoundPage } from '../strict/page-tree.ts'
import type { StrictFile } from '../strict/strict-file.ts'
import { type Dict, ReadersDisagree, SyntaxProblem, type Value } from '../strict/syntax.ts'
import { name, number, numberOf, numbers, numbersOf, ref } from '../strict/values.ts'
import { written } from '../strict/write.ts'
import type { Look } from './annotations.ts'
import { packed, redraw } from './drawings.ts'
import type { Rebuilder } from './rebuilder.ts'
import type { Scope } from './rebuilding.ts'

interface PageParts {
  page: FoundPage
  /** The number of the tree's only node. */
  tree: number
  looks: readonly Look[]
  seen: VisiblePage
  fieldResources: Value | undefined
}

export const rebuildPage = (build: Rebuilder, parts: PageParts, around: Scope): Value => {
  const { page, tree, looks, seen } = parts
  const scope = build.scope(page.inherited('Resources'), around)
  const { bytes, resources, has } = redraw(build, contentOf(build.file, page), scope)
  const drawn = new Map<string, Value>()
  const lines = looks.flatMap(({ drawing, matrix }) => {
    const value = build.value(drawing, formDrawing(), build.scope(parts.fieldResources, around))
    if (!value) return []
    requireNear(matrix)
    let key = `Annotation${drawn.size + 1}`
    while (has('XObject', key)) key += 'x'
    drawn.set(key, value)
    return [`q ${matrix.map((one) => written(number(one))).join(' ')} cm /${key} Do Q`]
  })
  // Closed in itself, so that what is drawn later begins as on an empty page.
  const whole = Buffer.concat([Buffer.from('q\n'), bytes, Buffer.from(['\nQ', ...lines, ''].join('\n'), 'latin1')])
  const entries = new Map<string, Value>([
    ['Type', name('Page')],
    ['Parent', ref(tree)],
    ...sizes(build.file, page, seen),
    ['Resources', withDrawings(resources, drawn)],
    ['Contents', build.add(packed(whole, new Map()))],
  ])
  for (const [key, value] of build.entries(onlyOthers(page.entries), { Group: pageGroup }, scope))
    entries.set(key, value)
  return { kind: 'dict', entries }
}

/** Those are written anew, or have been looked at. */
const known = new Set('Type Parent Resources Contents Annots MediaBox CropBox Rotate UserUnit'.split(' '))
const onlyOthers = (entries: Dict): Dict => new Map([...entries].filter(([key]) => !known.has(key)))

const contentOf = ({ resolve }: StrictFile, { entries }: FoundPage): Buffer => {
  const given = resolve(entries.get('Contents'))
  const parts = given?.kind === 'array' ? given.items.map(resolve) : [given]
  return Buffer.concat(
    parts.flatMap((part) => {
      if (!part) return []
      if (part.kind !== 'stream') throw new SyntaxProblem('the contents of a page')
      if (part.entries.has('F')) throw new ReadersDisagree('contents from another file')
      return [unpack(part, resolve), Buffer.from('\n')]
    }),
  )
}

/** The visible box as a page's only one would move what is cut away out of reach: both stay. */
const sizes = ({ resolve }: StrictFile, page: FoundPage, { box, rotation }: VisiblePage): [string, Value][] => {
  const media = visibleBox(boxOf(numbersOf(resolve, page.inherited('MediaBox'))), undefined)
  const unit = numberOf(resolve(page.entries.get('UserUnit'))) ?? 1
  return [
    ['MediaBox', boxValue(media)],
    ...(isSame(media, box) ? [] : [['CropBox', boxValue(box)] as [string, Value]]),
    ...(rotation === 0 ? [] : [['Rotate', number(rotation)] as [string, Value]]),
    ...(unit > 0 && unit !== 1 ? [['UserUnit', number(unit)] as [string, Value]] : []),
  ]
}

const boxValue = ({ x0, y0, x1, y1 }: Box): Value => numbers([x0, y0, x1, y1])
const isSame = (one: Box, other: Box): boolean =>
  one.x0 === other.x0 && one.y0 === other.y0 && one.x1 === other.x1 && one.y1 === other.y1

const withDrawings = (resources: Value, drawn: ReadonlyMap<string, Value>): Value => {
  if (drawn.size === 0 || resources.kind !== 'dict') return resources
  const before = resources.entries.get('XObject')
  const all = new Map([...(before?.kind === 'dict' ? before.entries : []), ...drawn])
  return { kind: 'dict', entries: new Map([...resources.entries, ['XObject', { kind: 'dict', entries: all }]]) }
}
