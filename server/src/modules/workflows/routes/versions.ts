/** Versions of a workflow: list, read, snapshot, compare, roll back. A version is identified by its id or number. */
import {
  RollbackBody,
  RollbackReply,
  SnapshotBody,
  Version,
  VersionDiff,
  VersionItem,
  VersionList,
  VersionListQuery,
} from '@chancery/contract/workflows.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { WorkflowsContext } from '../context.ts'
import { publishEarlier } from '../versions/publish-earlier.ts'
import { compareVersions, describeVersion, describeVersions } from '../versions/read-versions.ts'
import { rollBack } from '../versions/roll-back.ts'
import { takeSnapshot } from '../versions/take-snapshot.ts'

const base = '/api/v1/agent-workflows/:id'

export const versionRoutes = (context: WorkflowsContext): Route[] => [
  route({
    method: 'GET',
    path: `${base}/versions`,
    access: 'user',
    summary: 'List versions, newest first, without their graphs',
    query: VersionListQuery,
    reply: VersionList,
    handle: ({ actor, params, query }) => describeVersions(context, actor, { id: params.id, query }),
  }),
  route({
    method: 'GET',
    path: `${base}/versions/:version`,
    access: 'user',
    summary: 'Get a version with its graph',
    reply: Version,
    handle: ({ actor, params }) => describeVersion(context, actor, { id: params.id, key: params.version }),
  }),
  route({
    method: 'GET',
    path: `${base}/versions/:a/diff/:b`,
    access: 'user',
    summary: 'Compare version a with version b, or with the `draft`; secrets show only that they changed',
    reply: VersionDiff,
    handle: ({ actor, params: { id, a, b } }) => compareVersions(context, actor, { id, from: a, to: b }),
  }),
  route({
    method: 'POST',
    path: `${base}/snapshot`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Save the current graph as a Manual version',
    body: SnapshotBody,
    reply: VersionItem,
    status: 201,
    handle: ({ actor, params, body, http }) =>
      takeSnapshot(context, actor, { id: params.id, notes: body?.notes, from: http }),
  }),
  route({
    method: 'POST',
    path: `${base}/rollback`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Restore a version as a draft; the graph it replaces is saved, and nothing runs until it is published',
    body: RollbackBody,
    reply: RollbackReply,
    handle: ({ actor, params: { id }, body: { version_id, notes }, http }) =>
      rollBack(context, actor, { id, version: version_id, notes, from: http }),
  }),
  route({
    method: 'POST',
    path: `${base}/rollback-and-publish`,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Publish an earlier version again, as a reviewer; triggers are not interrupted',
    body: RollbackBody,
    reply: RollbackReply,
    handle: ({ actor, params: { id }, body: { version_id, notes }, http }) =>
      publishEarlier(context, actor, { id, version: version_id, notes, from: http }),
  }),
]
