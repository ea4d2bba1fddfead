/** Notes what of the whole document, rather than of a page, will not be in the rebuilt file. */
import type { StrictFile } from '../strict/strict-file.ts'
import type { Dict, Value } from '../strict/syntax.ts'
import { entriesOf, itemsOf, nameOf } from '../strict/values.ts'
import type { Form } from './form.ts'
import type { Removed } from './removed.ts'

interface Document {
  file: StrictFile
  catalog: Dict
  form: Form
}

export const noteParts = ({ file, catalog, form }: Document, removed: Removed): void => {
  const { resolve } = file
  const names = entriesOf(resolve(catalog.get('Names')))
  const note = (kind: Parameters<Removed['add']>[0], count: number): void => {
    if (count > 0) removed.add(kind, undefined, count)
  }
  note(
    'scripts',
    leavesOf(file, names?.get('JavaScript')) + actionIs(file, catalog, 'JavaScript') + Number(catalog.has('AA')),
  )
  note('actions', Number(isOtherAction(file, catalog)))
  note('attachments', leavesOf(file, names?.get('EmbeddedFiles')) + Number(catalog.has('Collection')))
  note('bookmarks', Number(entriesOf(resolve(catalog.get('Outlines')))?.has('First') === true))
  note('accessibility_tags', Number(catalog.has('StructTreeRoot')))
  note('restrictions', Number(catalog.has('Perms')))
  note('signatures', form.signatures.length)
}

const openAction = ({ resolve }: StrictFile, catalog: Dict): string | undefined =>
  nameOf(resolve(entriesOf(resolve(catalog.get('OpenAction')))?.get('S')))
const actionIs = (file: StrictFile, catalog: Dict, kind: string): number => Number(openAction(file, catalog) === kind)
const isOtherAction = (file: StrictFile, catalog: Dict): boolean => {
  const kind = openAction(file, catalog)
  return kind !== undefined && kind !== 'JavaScript' && kind !== 'GoTo'
}

const maxNodes = 10_000

/** How many a tree of names has. */
const leavesOf = ({ resolve }: StrictFile, root: Value | undefined): number => {
  const seen = new Set<Value>()
  const waiting = root ? [root] : []
  let count = 0
  for (let given = waiting.pop(); given && seen.size < maxNodes; given = waiting.pop()) {
    const node = resolve(given)
    if (!node || seen.has(node)) continue
    seen.add(node)
    count += Math.floor(itemsOf(resolve(entriesOf(node)?.get('Names'))).length / 2)
    waiting.push(...itemsOf(resolve(entriesOf(node)?.get('Kids'))))
  }
  return count
}
