/**
 * Requests to the evaluating thread for waiting nodes: each filter once for each event, in requests of limited size.
 */
import { filteredEvent, type StoredEvent } from '#modules/event-bus/index.ts'
import type { FilterValues, RunWaitsTable } from '../queries/tables.ts'
import { pick, readOfEvent } from './filter-values.ts'

export interface Wait extends Pick<RunWaitsTable, 'filterExpr' | 'filterValues' | 'scopeId'> {
  /** The events it may take, in order. */
  events: readonly StoredEvent[]
}

/** Texts that are tested on the same values. */
export interface Group {
  event: StoredEvent
  values: readonly unknown[]
  /** The length of the values as JSON, or a little more. */
  length: number
  texts: readonly string[]
  /** Whose each text is. */
  scopeIds: readonly string[]
  /** One for each text. */
  keys: readonly string[]
}

/** The thread holds all values of a request at once, in 256 MB, and they are written on the server's thread. */
const maxCases = 1000
const maxLength = 1_048_576

export function* requestsOf(groups: Iterable<Group>): Generator<Group[]> {
  let request: Group[] = []
  let [cases, length] = [0, 0]
  for (const group of groups) {
    cases += group.texts.length
    length += group.length
    if (request.length > 0 && (cases > maxCases || length > maxLength)) {
      yield request
      request = []
      cases = group.texts.length
      length = group.length
    }
    request.push(group)
  }
  if (request.length > 0) yield request
}

interface Filter {
  key: string
  scopeId: string
  text: string
  values: FilterValues | null
  events: Set<StoredEvent>
}

/** The same filter with the same values is tested once for an event. */
export function* groupsOf(waits: readonly Wait[], keys: readonly string[]): Generator<Group> {
  const filters = new Map<string, Filter>()
  for (const [index, { filterExpr: text, filterValues: values, events, scopeId }] of waits.entries()) {
    const key = keys[index] ?? ''
    if (text === null) continue
    const filter: Filter = filters.get(key) ?? { key, scopeId, text, values, events: new Set() }
    filters.set(key, filter)
    for (const event of events) filter.events.add(event)
  }
  yield* sharedGroups([...filters.values()].filter(({ values }) => values === null))
  yield* ownGroups([...filters.values()].filter(({ values }) => values !== null))
}

/** Filters that read only the event share a group. */
function* sharedGroups(filters: readonly Filter[]): Generator<Group> {
  const byEvent = new Map<StoredEvent, Filter[]>()
  for (const filter of filters)
    for (const event of filter.events) {
      const own = byEvent.get(event)
      if (own) own.push(filter)
      else byEvent.set(event, [filter])
    }
  for (const [event, own] of byEvent) {
    const value = filteredEvent(event)
    yield {
      event,
      values: [value, null, null],
      length: JSON.stringify(value).length,
      texts: own.map(({ text }) => text),
      scopeIds: own.map(({ scopeId }) => scopeId),
      keys: own.map(({ key }) => key),
    }
  }
}

/** Filters that read their run have a group for each event, so they get only what they read of the event. */
function* ownGroups(filters: readonly Filter[]): Generator<Group> {
  const readers = new Map<string, ReturnType<typeof createReader>>()
  for (const { key, scopeId, text, values, events } of filters) {
    const read = readers.get(text) ?? createReader(text)
    readers.set(text, read)
    for (const event of events) {
      const { value, length } = read(event)
      const all = [value, values?.input, values?.state]
      yield { event, values: all, length: key.length + length, texts: [text], scopeIds: [scopeId], keys: [key] }
    }
  }
}

/** Reads of each event once what the filter reads of it. */
const createReader = (text: string) => {
  const paths = readOfEvent(text)
  const known = new Map<StoredEvent, { value: unknown; length: number }>()
  return (event: StoredEvent) => {
    const before = known.get(event)
    if (before) return before
    const value = pick(filteredEvent(event), paths)
    const read = { value, length: JSON.stringify(value).length }
    known.set(event, read)
    return read
  }
}
