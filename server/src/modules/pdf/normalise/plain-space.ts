/** Colour spaces as every reader takes them. */
import { unpack } from '../strict/filters.ts'
import type { Value } from '../strict/syntax.ts'
import { array, bytesOf, itemsOf, name, nameOf, numberOf, type Resolve } from '../strict/values.ts'
import { componentsOf } from './components.ts'

/**
 * Some readers know inks by their names: `None` draws nothing, `Black` is black whatever the file says. With names that
 * nobody knows all of them take the colour that the file gives instead.
 */
export const plainSpace = (parts: readonly Value[], resolve: Resolve): readonly Value[] => {
  const [kind, inks, ...rest] = parts
  const ink = (_: unknown, index: number): Value => name(`Ink${index + 1}`)
  const named = kind && nameOf(resolve(kind))
  if (kind && inks && named === 'Separation') return [kind, ink(inks, 0), ...rest.slice(0, 2)]
  if (kind && inks && named === 'DeviceN') return [kind, array(itemsOf(resolve(inks)).map(ink)), ...rest.slice(0, 2)]
  return named === 'Indexed' ? plainTable(parts, resolve) : parts
}

/** Colours that are missing at the end of a table are black. */
const plainTable = (parts: readonly Value[], resolve: Resolve): readonly Value[] => {
  const [kind, base, highest, given] = parts
  const table = resolve(given)
  const needed = ((numberOf(resolve(highest)) ?? 0) + 1) * (componentsOf(base, resolve) ?? 0)
  if (!kind || !base || !highest || !table || needed > maxTable) return parts
  const bytes = table.kind === 'stream' ? unpack(table, resolve) : bytesOf(table)
  if (!bytes || bytes.length >= needed) return parts
  const whole = Buffer.concat([bytes, Buffer.alloc(needed - bytes.length)])
  return [kind, base, highest, { kind: 'plain', text: `(${whole.toString('hex')}` }]
}

const maxTable = 256 * 32
