/** Which annotations a page shows, as drawings and where they go. All of them become part of the page. */
import type { RemovedKind } from '@chancery/contract/signing/prepared.ts'
import { type Box, boxOf } from '../read/page-geometry.ts'
import type { StrictFile } from '../strict/strict-file.ts'
import { type Dict, ReadersDisagree, type Value } from '../strict/syntax.ts'
import { bytesOf, entriesOf, itemsOf, nameOf, numberOf, numbersOf } from '../strict/values.ts'
import { type Form, typeOf } from './form.ts'
import type { Layers } from './layers.ts'
import { markupDrawing } from './markup.ts'
import type { Removed } from './removed.ts'

export interface Look {
  drawing: Value
  /** As in the operator `cm`. */
  matrix: readonly number[]
}

export interface PageAnnotations {
  looks: Look[]
  widgets: Dict[]
  /** Widgets that have a value and nothing to show for it. */
  withoutLook: number
}

interface Page {
  file: StrictFile
  form: Form
  layers: Layers
  removed: Removed
  number: number
}

const hiddenFlags = 2 | 32

const kinds: Readonly<Record<string, RemovedKind>> = {
  Link: 'links',
  FileAttachment: 'attachments',
  Popup: 'comments',
  Text: 'comments',
  Widget: 'form_fields',
  Screen: 'media',
  Movie: 'media',
  Sound: 'media',
  RichMedia: 'media',
  '3D': 'media',
}

export const annotationsOf = (page: Page, annotations: Value | undefined): PageAnnotations => {
  const { resolve } = page.file
  const found: PageAnnotations = { looks: [], widgets: [], withoutLook: 0 }
  for (const item of itemsOf(resolve(annotations))) {
    const entries = entriesOf(resolve(item))
    if (!entries) continue
    const kind = nameOf(resolve(entries.get('Subtype'))) ?? ''
    if (kind === 'Widget') found.widgets.push(entries)
    noteActions(page, entries)
    const look = lookOf(page, entries) ?? ownLook(page, entries)
    if (!look) requireNoText(page, kind, entries)
    const removed = removedKind(page, kind, entries, look)
    if (removed) page.removed.add(removed, page.number)
    if (look && !isHidden(page, entries)) found.looks.push(look)
    else if (kind === 'Widget' && !isHidden(page, entries) && hasValue(page, entries)) found.withoutLook += 1
  }
  return found
}

const ownLook = ({ file }: Page, entries: Dict): Look | undefined => {
  const drawing = file.resolve(entries.get('AP')) ? undefined : markupDrawing(file, entries)
  return drawing && { drawing, matrix: [1, 0, 0, 1, 0, 0] }
}

/** Text on the page that every viewer sets in its own way. */
const requireNoText = (page: Page, kind: string, entries: Dict): void => {
  const isSaid = kind === 'FreeText' && bytesOf(page.file.resolve(entries.get('Contents')))?.length
  if (isSaid && !isHidden(page, entries)) throw new ReadersDisagree('a text that programs draw each in its own way')
}

/** A signed field is told of on its own. */
const removedKind = (page: Page, kind: string, entries: Dict, look: Look | undefined): RemovedKind | undefined => {
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (kind === 'Widget' && typeOf(page.form, entries) === 'signature') return undefined
  if (known) return known
  if (isHidden(page, entries)) return 'hidden_annotations'
  return look ? undefined : 'annotations_without_look'
}

const noteActions = ({ file, removed, number }: Page, entries: Dict): void => {
  const action = entriesOf(file.resolve(entries.get('A')))
  const kind = nameOf(file.resolve(action?.get('S')))
  if (kind === 'JavaScript') removed.add('scripts', number)
  else if (kind !== undefined && kind !== 'GoTo' && kind !== 'URI') removed.add('actions', number)
  if (entries.has('AA')) removed.add('scripts', number)
}

const isHidden = ({ file, layers }: Page, entries: Dict): boolean => {
  const flags = numberOf(file.resolve(entries.get('F'))) ?? 0
  const layer = entries.get('OC')
  return (flags & hiddenFlags) !== 0 || (layer !== undefined && layers.isHidden(layer))
}

const hasValue = ({ file, form }: Page, entries: Dict): boolean => {
  const type = typeOf(form, entries)
  const value = form.inherited(entries, 'V')
  if (type === 'text' || type === 'dropdown' || type === 'list')
    return value !== undefined && !(value.kind === 'plain' && /^\((?:feff)?$/.test(value.text))
  const state = nameOf(file.resolve(entries.get('AS')))
  return (type === 'checkbox' || type === 'radio') && state !== undefined && state !== 'Off'
}

/** The normal look; of a field with several, that of its state. */
const lookOf = (page: Page, entries: Dict): Look | undefined => {
  const { resolve } = page.file
  const normal = entriesOf(resolve(entries.get('AP')))?.get('N')
  const several = resolve(normal)
  const state = nameOf(resolve(entries.get('AS'))) ?? 'Off'
  const drawing = several?.kind === 'dict' ? several.entries.get(state) : normal
  const value = resolve(drawing)
  if (!drawing || value?.kind !== 'stream') return undefined
  const layer = value.entries.get('OC')
  if (layer && page.layers.isHidden(layer)) return undefined
  const rect = boxOf(numbersOf(resolve, entries.get('Rect')))
  const box = boxOf(numbersOf(resolve, value.entries.get('BBox')))
  if (!rect || !box) return undefined
  return { drawing, matrix: placeOn(rect, box, numbersOf(resolve, value.entries.get('Matrix'))) }
}

/** Moves and stretches the drawing's box, as its own matrix turns it, onto the rectangle of the annotation. */
export const placeOn = (rect: Box, box: Box, own: readonly number[]): number[] => {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = own.length === 6 ? own : []
  const corners = [
    [box.x0, box.y0],
    [box.x1, box.y0],
    [box.x0, box.y1],
    [box.x1, box.y1],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const)
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - bottom]
  const scale = [width === 0 ? 1 : (rect.x1 - rect.x0) / width, height === 0 ? 1 : (rect.y1 - rect.y0) / height]
  const [sx = 1, sy = 1] = scale
  return [sx, 0, 0, sy, rect.x0 - left * sx, rect.y0 - bottom * sy]
}
