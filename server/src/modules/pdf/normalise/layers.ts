/** Which optional content a viewer shows when it opens the file. What viewers decide differently is refused. */
import type { StrictFile } from '../strict/strict-file.ts'
import { type Dict, ReadersDisagree, type Value } from '../strict/syntax.ts'
import { entriesOf, itemsOf, nameOf } from '../strict/values.ts'

export interface Layers {
  /** A layer, or an expression of layers. */
  isHidden(layer: Value): boolean
}

const maxDepth = 32

export const createLayers = ({ resolve }: StrictFile, catalog: Dict): Layers => {
  const properties = entriesOf(resolve(catalog.get('OCProperties')))
  const config = entriesOf(resolve(properties?.get('D')))
  const listed = (key: string, from: Dict | undefined = config): number[] =>
    itemsOf(resolve(from?.get(key))).flatMap((item) => (item.kind === 'ref' ? [item.number] : []))
  const [on, off] = [new Set(listed('ON')), new Set(listed('OFF'))]
  const startsOff = nameOf(resolve(config?.get('BaseState'))) === 'OFF'
  const automatic = new Set(
    itemsOf(resolve(config?.get('AS'))).flatMap((item) => {
      const usage = entriesOf(resolve(item))
      return nameOf(resolve(usage?.get('Event'))) === 'View' ? listed('OCGs', usage) : []
    }),
  )

  const isOn = (layer: Extract<Value, { kind: 'ref' }>): boolean => {
    if (on.has(layer.number) && off.has(layer.number)) throw new ReadersDisagree('a layer is both on and off')
    const state = startsOff ? on.has(layer.number) : !off.has(layer.number)
    const usage = entriesOf(resolve(entriesOf(resolve(layer))?.get('Usage')))
    const view = nameOf(resolve(entriesOf(resolve(usage?.get('View')))?.get('ViewState')))
    if (view && (view === 'ON') !== state) throw new ReadersDisagree('a layer is on in some viewers only')
    if (automatic.has(layer.number) && ['Zoom', 'Language', 'User'].some((key) => usage?.has(key)))
      throw new ReadersDisagree('a layer depends on the viewer')
    return state
  }

  const evaluate = (expression: Value | undefined, depth: number): boolean => {
    if (depth > maxDepth) throw new ReadersDisagree('layers within layers')
    if (expression?.kind === 'ref' && resolve(expression)?.kind !== 'array') return isShown(expression, depth)
    const [operator, ...parts] = itemsOf(resolve(expression))
    const kind = nameOf(operator)
    if (kind === 'Not' && parts.length === 1) return !evaluate(parts[0], depth + 1)
    if (kind === 'And') return parts.every((part) => evaluate(part, depth + 1))
    if (kind === 'Or') return parts.some((part) => evaluate(part, depth + 1))
    throw new ReadersDisagree('an expression of layers')
  }

  const byPolicy = (membership: Dict): boolean => {
    const given = membership.get('OCGs')
    const several = resolve(given)
    const layers = several?.kind === 'array' ? several.items : given ? [given] : []
    const states = layers.flatMap((layer) => (layer.kind === 'ref' && resolve(layer) ? [isOn(layer)] : []))
    if (states.length === 0) return true
    const policy = nameOf(resolve(membership.get('P'))) ?? 'AnyOn'
    if (policy === 'AllOn') return states.every(Boolean)
    if (policy === 'AllOff') return !states.some(Boolean)
    return policy === 'AnyOff' ? !states.every(Boolean) : states.some(Boolean)
  }

  const isShown = (layer: Value, depth = 0): boolean => {
    const entries = entriesOf(resolve(layer))
    const type = nameOf(resolve(entries?.get('Type')))
    if (entries && type === 'OCMD') {
      const expression = entries.get('VE')
      if (!expression) return byPolicy(entries)
      const shown = evaluate(expression, depth + 1)
      if (entries.has('OCGs') && byPolicy(entries) !== shown)
        throw new ReadersDisagree('two expressions of layers that differ')
      return shown
    }
    return type !== 'OCG' || layer.kind !== 'ref' || isOn(layer)
  }

  return { isHidden: (layer) => !isShown(layer) }
}
