/** The things that nodes of a graph name by ID: workflows, people, templates, credentials. Pure. */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { pathOf } from './fields/field-problem.ts'
import { kindOf } from './kinds/index.ts'
import type { ReferenceKind } from './kinds/kind.ts'

export interface Reference {
  nodeId: string
  /** As in problems. */
  field: string
  id: string
}

export const referencesIn = ({ nodes }: Graph, kind: ReferenceKind): Reference[] =>
  nodes.flatMap(({ id: nodeId, type, config }) => {
    const { refersTo } = kindOf(type)
    if (refersTo?.kind !== kind) return []
    const { field } = refersTo
    const value = config[field]
    return Array.isArray(value)
      ? value.flatMap((one, index) => referenceTo({ nodeId, field: pathOf([field, index]), id: one }))
      : referenceTo({ nodeId, field: pathOf([field]), id: value })
  })

const lowercaseId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Values that aren't ids are reported by the schema. */
const referenceTo = ({ id, ...at }: Omit<Reference, 'id'> & { id: unknown }): Reference[] =>
  typeof id === 'string' && lowercaseId.test(id) ? [{ ...at, id }] : []
