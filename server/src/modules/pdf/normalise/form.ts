/** The form of a file: its fields as facts, what it can't be rebuilt with, and who has signed in it. */

import type { PdfFacts } from '../interface.ts'
import { boxOf, toFractions, type VisiblePage } from '../read/page-geometry.ts'
import type { StrictFile } from '../strict/strict-file.ts'
import type { Dict, Value } from '../strict/syntax.ts'
import { bytesOf, entriesOf, isTrue, itemsOf, nameOf, numberOf, numbersOf, textOf } from '../strict/values.ts'

const maxFields = 20_000
const maxDepth = 32

export interface Form {
  hasXfa: boolean
  /** The looks of fields are out of date, and viewers make new ones. */
  needsLooks: boolean
  /** The dictionaries of signatures. */
  signatures: Dict[]
  /** What the looks of fields are drawn with where they don't say. */
  resources: Value | undefined
  /** Its own or that of the nearest parent. */
  inherited(field: Dict, key: string): Value | undefined
}

export const formOf = ({ resolve }: StrictFile, catalog: Dict): Form => {
  const form = entriesOf(resolve(catalog.get('AcroForm')))
  const inherited = (field: Dict, key: string): Value | undefined => {
    let node: Dict | undefined = field
    for (let depth = 0; node && depth < maxDepth; depth += 1) {
      const value = resolve(node.get(key))
      if (value) return value
      node = entriesOf(resolve(node.get('Parent')))
    }
    return undefined
  }
  const fields = allFields({ resolve }, form?.get('Fields'))
  const signatures = fields.flatMap((field) => {
    const value = entriesOf(resolve(field.get('V')))
    return value && nameOf(inherited(field, 'FT')) === 'Sig' && bytesOf(resolve(value.get('Contents'))) ? [value] : []
  })
  return {
    hasXfa: resolve(form?.get('XFA')) !== undefined,
    needsLooks: isTrue(resolve(form?.get('NeedAppearances'))),
    signatures: [...new Set(signatures)],
    resources: form?.get('DR'),
    inherited,
  }
}

const allFields = ({ resolve }: Pick<StrictFile, 'resolve'>, list: Value | undefined): Dict[] => {
  const found: Dict[] = []
  const seen = new Set<Value>()
  const waiting = [...itemsOf(resolve(list))].toReversed()
  for (let given = waiting.pop(); given && found.length < maxFields; given = waiting.pop()) {
    const field = resolve(given)
    const entries = entriesOf(field)
    if (!field || !entries || seen.has(field)) continue
    seen.add(field)
    found.push(entries)
    waiting.push(...itemsOf(resolve(entries.get('Kids'))).toReversed())
  }
  return found
}

type FormField = PdfFacts['formFields'][number]

const radio = 1 << 15
const pushButton = 1 << 16
const comboBox = 1 << 17
const maxNameLength = 200

export interface PlacedWidget {
  widget: Dict
  page: number
  seen: VisiblePage
}

export const fieldFacts = (file: StrictFile, form: Form, { widget, page, seen }: PlacedWidget): FormField[] => {
  const rect = boxOf(numbersOf(file.resolve, widget.get('Rect')))
  const type = typeOf(form, widget)
  return rect && type ? [{ name: fieldName(file, widget), page, type, ...toFractions(seen, rect) }] : []
}

export const typeOf = (form: Form, field: Dict): string | undefined => {
  const kind = nameOf(form.inherited(field, 'FT'))
  const flags = numberOf(form.inherited(field, 'Ff')) ?? 0
  if (kind === 'Tx') return 'text'
  if (kind === 'Ch') return flags & comboBox ? 'dropdown' : 'list'
  if (kind === 'Btn') return flags & pushButton ? 'button' : flags & radio ? 'radio' : 'checkbox'
  return kind === 'Sig' ? 'signature' : undefined
}

/** `form.address.city`: the names of a field and its parents. */
const fieldName = ({ resolve }: StrictFile, field: Dict): string => {
  const names: string[] = []
  let node: Dict | undefined = field
  for (let depth = 0; node && depth < maxDepth; depth += 1) {
    const name = textOf(resolve(node.get('T')))
    if (name !== undefined) names.unshift(name)
    node = entriesOf(resolve(node.get('Parent')))
  }
  return names.join('.').slice(0, maxNameLength)
}
