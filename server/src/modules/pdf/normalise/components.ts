/** How many numbers a colour has. */
import type { Value } from '../strict/syntax.ts'
import { entriesOf, itemsOf, nameOf, numberOf, type Resolve } from '../strict/values.ts'

const known: Record<string, number> = {
  DeviceGray: 1,
  CalGray: 1,
  Indexed: 1,
  Separation: 1,
  DeviceRGB: 3,
  CalRGB: 3,
  Lab: 3,
  DeviceCMYK: 4,
}

export const componentsOf = (space: Value | undefined, resolve: Resolve): number | undefined => {
  const value = resolve(space)
  const [kind, first] = value?.kind === 'array' ? itemsOf(value).map((item) => resolve(item)) : [value]
  const name = nameOf(kind) ?? ''
  if (name === 'ICCBased') return numberOf(resolve(entriesOf(first)?.get('N')))
  if (name === 'DeviceN') return itemsOf(first).length
  return Object.hasOwn(known, name) ? known[name] : undefined
}
