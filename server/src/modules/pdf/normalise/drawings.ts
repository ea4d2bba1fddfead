/** Rebuilds what is drawn by instructions, with the resources that these use and no others. */
import { deflateSync } from 'node:zlib'
import { picture, resourceShapes } from '../allow-list/drawings.ts'
import type { Keys } from '../allow-list/shape.ts'
import type { Category } from '../content/operators.ts'
import { requireNear } from '../content/positions.ts'
import { type Rewritten, rewriteContent, type Surroundings } from '../content/rewrite-content.ts'
import { unpack } from '../strict/filters.ts'
import { type Dict, SyntaxProblem, type Value } from '../strict/syntax.ts'
import { entriesOf, name, nameOf, numbersOf } from '../strict/values.ts'
import { componentsOf } from './components.ts'
import { fullPicture } from './full-picture.ts'
import type { Rebuilding, Scope } from './rebuilding.ts'

type Stream = Extract<Value, { kind: 'stream' }>

export const rebuildDrawing = (build: Rebuilding, { entries, data }: Stream, keys: Keys, around: Scope): Value => {
  requireNear(numbersOf(build.file.resolve, entries.get('Matrix')))
  const scope = build.scope(entries.get('Resources'), around)
  const content = unpack({ kind: 'stream', entries, data }, build.file.resolve)
  const { bytes, resources } = redraw(build, content, scope)
  const kept = build.entries(new Map([...entries].filter(([key]) => !isPacking.has(key))), keys, scope)
  return packed(bytes, kept.set('Resources', resources))
}

const isPacking = new Set(['Filter', 'DecodeParms', 'Length', 'Resources'])

export const packed = (bytes: Buffer, entries: Map<string, Value>): Value => ({
  kind: 'stream',
  entries: entries.set('Filter', name('FlateDecode')),
  data: deflateSync(bytes),
})

/** All letters of a font share its resources. */
export const rebuildLetters = (build: Rebuilding, entries: Dict, keys: Keys, around: Scope): Value => {
  const scope = build.scope(entries.get('Resources'), around)
  const drawn = [...(entriesOf(build.file.resolve(entries.get('CharProcs'))) ?? [])].flatMap(([letter, given]) => {
    const stream = build.file.resolve(given)
    return stream?.kind === 'stream' ? [{ letter, content: unpack(stream, build.file.resolve) }] : []
  })
  const used: Needed = { used: new Map(), pictures: new Map() }
  const letters = drawn.map(({ letter, content }): [string, Value] => {
    const around = surroundings(build, scope, used.pictures)
    const { bytes, ...needs } = noted(build, rewriteContent(content, around), scope)
    merge(used, needs)
    return [letter, build.add(packed(bytes, new Map()))]
  })
  const kept = build.entries(entries, keys, scope)
  return {
    kind: 'dict',
    entries: kept
      .set('CharProcs', { kind: 'dict', entries: new Map(letters) })
      .set('Resources', resourcesFor(build, used, scope)),
  }
}

/** The same instructions in plain form. `pictures`: drawn besides, by names that are free. */
export const redraw = (
  build: Rebuilding,
  content: Buffer,
  scope: Scope,
): { bytes: Buffer; resources: Value; has: Surroundings['has'] } => {
  const around = surroundings(build, scope)
  const rewritten = noted(build, rewriteContent(content, around), scope)
  return { bytes: rewritten.bytes, resources: resourcesFor(build, rewritten, scope), has: around.has }
}

const noted = (build: Rebuilding, rewritten: Rewritten, { page }: Scope): Rewritten => {
  if (rewritten.hiddenParts > 0) build.removed.add('hidden_layers', page, rewritten.hiddenParts)
  return rewritten
}

interface Needed {
  used: Map<Category, Set<string>>
  pictures: Map<string, Value>
}

const merge = (all: Needed, { used, pictures }: Pick<Rewritten, 'used' | 'pictures'>): void => {
  for (const [category, names] of used) all.used.set(category, new Set([...(all.used.get(category) ?? []), ...names]))
  for (const [name, one] of pictures) all.pictures.set(name, one)
}

const raw = (build: Rebuilding, { resources }: Scope, category: string, name: string): Value | undefined => {
  const all = entriesOf(build.file.resolve(resources))
  return entriesOf(build.file.resolve(all?.get(category)))?.get(name)
}

const surroundings = (build: Rebuilding, scope: Scope, taken?: ReadonlyMap<string, Value>): Surroundings => {
  const known = new Map<string, boolean>()
  const find = (category: Category, name: string): boolean => {
    const given = raw(build, scope, category, name)
    const value = build.file.resolve(given)
    if (!value || !build.exact(value, resourceShapes[category]())) return false
    return category !== 'XObject' || isShown(build, value, scope)
  }
  return {
    has: (category, name) => {
      if (category === 'XObject' && taken?.has(name)) return true
      const key = `${category} ${name}`
      const found = known.get(key) ?? find(category, name)
      known.set(key, found)
      return found
    },
    isHidden: (layer) => {
      const named = nameOf(layer)
      const given = named === undefined ? layer : raw(build, scope, 'Properties', named)
      return given !== undefined && build.layers.isHidden(given)
    },
    components: (space) => componentsOf(raw(build, scope, 'ColorSpace', space), build.file.resolve),
  }
}

const isShown = ({ layers, removed }: Rebuilding, value: Value, { page }: Scope): boolean => {
  const entries = entriesOf(value)
  const layer = entries?.get('OC')
  if (layer && layers.isHidden(layer)) removed.add('hidden_layers', page)
  else if (entries?.has('F')) removed.add('external_files', page)
  else return true
  return false
}

const resourcesFor = (
  build: Rebuilding,
  { used, pictures }: Pick<Rewritten, 'used' | 'pictures'>,
  scope: Scope,
): Value => {
  const parts = new Map<string, Map<string, Value>>()
  const put = (
    category: Category,
    name: string,
    given: Value | undefined,
    shape = resourceShapes[category](),
  ): void => {
    const value = given && build.value(given, shape, scope)
    if (!value) return
    const part = parts.get(category) ?? new Map<string, Value>()
    parts.set(category, part.set(name, value))
  }
  for (const [category, names] of used) for (const name of names) put(category, name, raw(build, scope, category, name))
  // `DefaultRGB` and its like, which stand for the plain spaces in some readers only, aren't named and don't stay.
  const space = (name: string): Value | undefined => raw(build, scope, 'ColorSpace', name)
  for (const [name, one] of pictures) put('XObject', name, fullPicture(one, space), picture())
  if ([...pictures].some(([name]) => !parts.get('XObject')?.has(name))) throw new SyntaxProblem('a picture')
  return { kind: 'dict', entries: new Map([...parts].map(([key, entries]) => [key, { kind: 'dict', entries }])) }
}
