/** Tells whether a page of a sealed file is a page that was shown, with nothing added but in the boxes of its fields. Pure. */
import { boxOnPage } from '../read/page-geometry.ts'
import { visibleIn } from '../read/visible-part.ts'
import { unpack } from '../strict/filters.ts'
import type { FoundPage } from '../strict/page-tree.ts'
import type { StrictFile } from '../strict/strict-file.ts'
import type { Value } from '../strict/syntax.ts'
import { entriesOf, itemsOf } from '../strict/values.ts'
import { addedOperations } from './added-operations.ts'
import { staysInside } from './inside-boxes.ts'
import type { FieldBox } from './read-drawn.ts'
import { entriesIn, type Pair, type SameObjects } from './same-objects.ts'

interface PageOf {
  file: StrictFile
  page: FoundPage
}

interface PagePair {
  shown: PageOf
  sealed: PageOf
  /** Of the page's fields. */
  boxes: readonly FieldBox[]
}

/** False where it can't tell. Throws a `SyntaxProblem` for what can't be read. */
export const isSamePage = (objects: SameObjects, { shown, sealed, boxes }: PagePair): boolean => {
  const [one, other] = [shown.page, sealed.page]
  // Notes are drawn after the page, in ways that only a reader knows.
  if (other.entries.has('Annots')) return false
  const drawn = boxes.length === 0 ? { contents: other.entries.get('Contents'), added: undefined } : partsOf(sealed)
  const areSame = objects.areSame([
    ...frame.map((key): Pair => [one.inherited(key), other.inherited(key)]),
    ...entriesIn(one.entries, other.entries, new Set(compared)),
    [one.entries.get('Contents'), drawn.contents],
    ...(drawn.added ? widened(shown, sealed) : [[one.inherited('Resources'), other.inherited('Resources')] as const]),
  ])
  if (!areSame || !drawn.added) return areSame
  const seen = visibleIn(sealed.file, other)
  return staysInside(
    addedOperations(drawn.added),
    0,
    boxes.map((box) => boxOnPage(seen, box)),
  )
}

const frame = ['MediaBox', 'CropBox', 'Rotate'] as const
/** By name, or by the page tree. */
const compared = ['Type', 'Parent', 'Resources', 'Contents', ...frame]

/** What was shown is put between `q` and `Q`, so that what is added begins as on an empty page. */
const partsOf = ({ file: { resolve }, page }: PageOf): { contents: Value | undefined; added: Buffer | undefined } => {
  const whole = page.entries.get('Contents')
  const [open, contents, close, ...rest] = itemsOf(resolve(whole))
  const instructionsIn = (part: Value | undefined): Buffer => {
    const stream = resolve(part)
    return stream ? unpack(stream, resolve) : Buffer.alloc(0)
  }
  const isWrapped = [open, close].map((part) => instructionsIn(part).toString('latin1').trim()).join() === 'q,Q'
  if (!isWrapped) return { contents: whole, added: undefined }
  return { contents, added: Buffer.concat(rest.flatMap((part) => [instructionsIn(part), Buffer.from('\n')])) }
}

/** Fields are drawn with more. Prepared pages name nothing that they don't have, so new names change nothing on them. */
const mayGrow = new Set(['Font', 'XObject', 'ExtGState'])

const widened = (shown: PageOf, sealed: PageOf): Pair[] => {
  const [one, other] = [shown, sealed].map(({ file, page }) => entriesOf(file.resolve(page.inherited('Resources'))))
  const named = [...mayGrow].flatMap((category) => {
    const now = entriesOf(sealed.file.resolve(other?.get(category)))
    const before = entriesOf(shown.file.resolve(one?.get(category)))
    return [...(before ?? [])].map(([name, value]): Pair => [value, now?.get(name)])
  })
  return [...named, ...entriesIn(one ?? new Map(), other ?? new Map(), mayGrow)]
}
