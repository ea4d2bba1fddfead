/** Versions of a workflow: list, read, snapshot, compare, roll back. A version is identified by its id or number. */
import * as endpoints from '@chancery/contract/endpoints/workflows.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { WorkflowsContext } from '../context.ts'
import { publishEarlier } from '../versions/publish-earlier.ts'
import { compareVersions, describeVersion, describeVersions } from '../versions/read-versions.ts'
import { rollBack } from '../versions/roll-back.ts'
import { takeSnapshot } from '../versions/take-snapshot.ts'

export const versionRoutes = (context: WorkflowsContext): Route[] => [
  route({
    ...endpoints.listVersions,
    access: 'user',
    summary: 'List versions, newest first, without their graphs',
    handle: ({ actor, params, query }) => describeVersions(context, actor, { id: params.id, query }),
  }),
  route({
    ...endpoints.getVersion,
    access: 'user',
    summary: 'Get a version with its graph',
    handle: ({ actor, params }) => describeVersion(context, actor, { id: params.id, key: params.version }),
  }),
  route({
    ...endpoints.compareVersions,
    access: 'user',
    summary: 'Compare version a with version b, or with the `draft`; secrets show only that they changed',
    handle: ({ actor, params: { id, a, b } }) => compareVersions(context, actor, { id, from: a, to: b }),
  }),
  route({
    ...endpoints.takeSnapshot,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Save the current graph as a Manual version',
    handle: ({ actor, params, body, http }) =>
      takeSnapshot(context, actor, { id: params.id, notes: body?.notes, from: http }),
  }),
  route({
    ...endpoints.rollBack,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Restore a version as a draft; the graph it replaces is saved, and nothing runs until it is published',
    handle: ({ actor, params: { id }, body: { version_id, notes }, http }) =>
      rollBack(context, actor, { id, version: version_id, notes, from: http }),
  }),
  route({
    ...endpoints.rollBackAndPublish,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Publish an earlier version again, as a reviewer; triggers are not interrupted',
    handle: ({ actor, params: { id }, body: { version_id, notes }, http }) =>
      publishEarlier(context, actor, { id, version: version_id, notes, from: http }),
  }),
]
