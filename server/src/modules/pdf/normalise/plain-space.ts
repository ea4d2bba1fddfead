/** Colour spaces as every reader takes them. */
import type { Value } from '../strict/syntax.ts'
import { array, itemsOf, name, nameOf, type Resolve } from '../strict/values.ts'

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
  return parts
}
