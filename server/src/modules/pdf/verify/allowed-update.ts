/**
 * Changes that a revision after a signature may make: add one signature field that nobody sees, or certificates and
 * proofs for later checks (DSS). Everything that was there must say the same as before. Pure.
 */

import { canonical, type Dict, integerIn, SyntaxProblem, type Value } from '../strict/syntax.ts'
import type { Revision } from './revision.ts'
import type { SignedObjects } from './signed-objects.ts'

export interface AddedSignature {
  /** The signature's bytes, hexadecimal, with the room after them. */
  contents: string
}

/** A reader that finds a number too high may search the whole file for objects instead of using its tables. */
const maxNew = 10_000

/** The additions of an allowed revision. Throws a `SyntaxProblem` that names the first thing that isn't allowed. */
export const readUpdate = (before: SignedObjects, revision: Revision): AddedSignature | 'store' => {
  requireTrailer(before, revision)
  for (const number of revision.objects.keys()) {
    const isFree = number >= before.size && number < before.size + maxNew && !before.missing.has(number)
    if (!before.get(number) && !isFree) throw new SyntaxProblem(`object ${number}`)
  }
  const view: View = { before, revision }
  const added = addedFields(view)
  requireSameElsewhere(view, new Set(added))
  const [first, ...others] = added
  if (first === undefined) return 'store'
  if (others.length > 0) throw new SyntaxProblem('more than one field')
  return readField(view, first)
}

interface View {
  before: SignedObjects
  revision: Revision
}

const requireTrailer = (before: SignedObjects, { objects, trailer }: Revision): void => {
  for (const key of trailer.keys())
    if (!['Size', 'Root', 'Info', 'ID', 'Prev'].includes(key)) throw new SyntaxProblem(`the trailer has /${key}`)
  if (integerIn(trailer.get('Prev')) !== before.tableAt) throw new SyntaxProblem('it follows another revision')
  if (
    integerIn(trailer.get('Size')) !==
    [...objects.keys()].reduce((size, number) => Math.max(size, number + 1), before.size)
  )
    throw new SyntaxProblem('its size')
  for (const key of ['Root', 'Info'])
    if (canonical(trailer.get(key)) !== canonical(before.trailer.get(key))) throw new SyntaxProblem(`another /${key}`)
}

const oldValue = ({ before }: View, value: Value | undefined): Value | undefined =>
  value?.kind === 'ref' ? before.get(value.number)?.value : value

const newValue = ({ before, revision }: View, value: Value | undefined): Value | undefined =>
  value?.kind === 'ref' ? (revision.objects.get(value.number) ?? before.get(value.number))?.value : value

const dictOf = (value: Value | undefined): Dict => {
  if (value?.kind !== 'dict') throw new SyntaxProblem('no dictionary')
  return value.entries
}

const refNumber = (value: Value | undefined): number | undefined => (value?.kind === 'ref' ? value.number : undefined)

/** The object that both refer to. One that is no longer referred to here may be in use elsewhere. */
const sameRef = (old: Value | undefined, current: Value | undefined): number | undefined =>
  canonical(old) === canonical(current) ? refNumber(old) : undefined

const requireSameBut = (old: Dict, current: Dict, allowed: readonly string[]): void => {
  for (const key of new Set([...old.keys(), ...current.keys()]))
    if (!allowed.includes(key) && canonical(old.get(key)) !== canonical(current.get(key)))
      throw new SyntaxProblem(`/${key} is another`)
}

/** The numbers of what the list has more than before, at its end. */
const addedTo = (old: Value | undefined, current: Value | undefined): number[] => {
  if ((old && old.kind !== 'array') || (current && current.kind !== 'array')) throw new SyntaxProblem('no list')
  const [had, has] = [old?.items ?? [], current?.items ?? []]
  if (had.some((item, index) => canonical(item) !== canonical(has[index]))) throw new SyntaxProblem('another list')
  return has.slice(had.length).map((item) => refNumber(item) ?? refuse('an entry that is no reference'))
}

const refuse = (reason: string): never => {
  throw new SyntaxProblem(reason)
}

const formOf = (view: View) => {
  const root = view.before.trailer.get('Root')
  const [oldCatalog, catalog] = [dictOf(oldValue(view, root)), dictOf(newValue(view, root))]
  const [oldRef, ref] = [oldCatalog.get('AcroForm'), catalog.get('AcroForm')]
  if (oldRef?.kind === 'ref' && canonical(oldRef) !== canonical(ref)) throw new SyntaxProblem('another form')
  const empty: Dict = new Map()
  const old = oldRef === undefined ? empty : dictOf(oldValue(view, oldRef))
  const current = ref === undefined ? empty : dictOf(newValue(view, ref))
  return { oldCatalog, catalog, old, current }
}

/** Fonts and a default look may come with a first signature field; what was there stays. */
const addedFields = (view: View): number[] => {
  const { oldCatalog, catalog, old, current } = formOf(view)
  requireSameBut(oldCatalog, catalog, ['AcroForm', 'DSS'])
  requireSameBut(old, current, ['Fields', 'SigFlags', ...['DR', 'DA'].filter((key) => !old.has(key))])
  const added = addedTo(oldValue(view, old.get('Fields')), newValue(view, current.get('Fields')))
  if (added.some((number) => view.before.get(number))) throw new SyntaxProblem('a field that was there')
  return added
}

/** The only objects that may be written again: the catalog, the form, its list of fields, pages and their annotations. */
const requireSameElsewhere = (view: View, fields: ReadonlySet<number>): void => {
  const { before, revision } = view
  const { oldCatalog, old, current: form } = formOf(view)
  const judged = new Set([before.trailer.get('Root'), oldCatalog.get('AcroForm')].map(refNumber))
  judged.add(sameRef(old.get('Fields'), form.get('Fields')))
  for (const number of before.numbers()) {
    const value = before.get(number)?.value
    if (value?.kind !== 'dict' || canonical(value.entries.get('Type')) !== '"/Page"') continue
    const list = refNumber(value.entries.get('Annots'))
    if (!revision.objects.has(number) && (list === undefined || !revision.objects.has(list))) continue
    const current = dictOf(revision.objects.get(number)?.value ?? value)
    requireSameBut(value.entries, current, ['Annots'])
    const shown = addedTo(oldValue(view, value.entries.get('Annots')), newValue(view, current.get('Annots')))
    if (shown.some((one) => !fields.has(one))) throw new SyntaxProblem('another annotation')
    judged.add(number).add(sameRef(value.entries.get('Annots'), current.get('Annots')))
  }
  for (const [number, { generation }] of revision.objects) {
    const had = before.get(number)
    if (had && (!judged.has(number) || had.generation !== generation))
      throw new SyntaxProblem(`object ${number} is another`)
  }
}

const fieldKeys = new Set('Type Subtype FT T TU V F Ff P Rect AP AS M NM DA Border BS MK Lock'.split(' '))

/** A widget without a size and with an empty look: no reader draws anything for it. */
const readField = (view: View, number: number): AddedSignature => {
  const field = dictOf(view.revision.objects.get(number)?.value)
  for (const key of field.keys()) if (!fieldKeys.has(key)) throw new SyntaxProblem(`the field has /${key}`)
  if (canonical(field.get('FT')) !== '"/Sig"') throw new SyntaxProblem('another kind of field')
  if (field.has('Type') && canonical(field.get('Type')) !== '"/Annot"') throw new SyntaxProblem('no annotation')
  if (field.has('Subtype') && canonical(field.get('Subtype')) !== '"/Widget"') throw new SyntaxProblem('no widget')
  requireOwnName(view, field.get('T'))
  requireNoSize(field.get('Rect'))
  for (const look of field.has('AP') ? dictOf(newValue(view, field.get('AP'))).values() : [])
    requireEmpty(newValue(view, look))
  const contents = dictOf(newValue(view, field.get('V'))).get('Contents')
  if (contents?.kind !== 'plain' || !contents.text.startsWith('(')) throw new SyntaxProblem('no signature')
  return { contents: contents.text.slice(1) }
}

/** Fields of one name are one field. */
const requireOwnName = ({ before }: View, name: Value | undefined): void => {
  if (name?.kind !== 'plain' || !name.text.startsWith('(')) throw new SyntaxProblem('no name')
  for (const number of before.numbers()) {
    const value = before.get(number)?.value
    if (value?.kind === 'dict' && canonical(value.entries.get('T')) === canonical(name))
      throw new SyntaxProblem('a field of this name was there')
  }
}

const requireNoSize = (rect: Value | undefined): void => {
  const sides = rect?.kind === 'array' ? rect.items.map(canonical) : []
  const [left, bottom, right, top] = sides
  if (sides.length !== 4 || left !== right || bottom !== top) throw new SyntaxProblem('it is drawn on a page')
}

const requireEmpty = (look: Value | undefined): void => {
  const isEmpty =
    look?.kind === 'stream' && look.data.length === 0 && !look.entries.has('Filter') && !look.entries.has('F')
  if (!isEmpty) throw new SyntaxProblem('it is drawn on a page')
}
