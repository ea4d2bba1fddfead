/** A picture from among the instructions as one of its own: short names written out, named colour spaces put in. */
import { fullSpace } from '../content/inline-data.ts'
import { fullFilterName } from '../strict/filters.ts'
import type { Value } from '../strict/syntax.ts'
import { array, name, nameOf } from '../strict/values.ts'

const deviceNames = new Set(['DeviceGray', 'DeviceRGB', 'DeviceCMYK', 'Indexed'])

export const fullPicture = (given: Value, findSpace: (name: string) => Value | undefined): Value => {
  if (given.kind !== 'stream') return given
  const entries = new Map(given.entries)
  const [filter, space] = [entries.get('Filter'), entries.get('ColorSpace')]
  if (filter)
    entries.set(
      'Filter',
      full(filter, (one) => name(fullFilterName(one))),
    )
  if (space)
    entries.set(
      'ColorSpace',
      full(space, (one) => {
        const long = fullSpace(one)
        return deviceNames.has(long) ? name(long) : (findSpace(one) ?? name(long))
      }),
    )
  return { ...given, entries: entries.set('Type', name('XObject')).set('Subtype', name('Image')) }
}

const full = (value: Value, change: (name: string) => Value): Value => {
  if (value.kind === 'array') return array(value.items.map((item) => full(item, change)))
  const named = nameOf(value)
  return named === undefined ? value : change(named)
}
