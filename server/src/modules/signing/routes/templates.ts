/** Templates and bulk jobs. A template belongs to the organization: its members use and change it, as they do workflows. */

import * as endpoints from '@chancery/contract/endpoints/signing.ts'
import { AppError } from '#kernel/errors.ts'
import { readIdempotencyKey } from '#kernel/http/idempotency-key.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { SigningContext } from '../context.ts'
import { changeDocument } from '../documents/change-document.ts'
import { deleteDocument } from '../documents/delete-document.ts'
import { describeDocument } from '../documents/describe-document.ts'
import { prepareEarlierFiles } from '../documents/prepare-earlier.ts'
import { presentHead } from '../present.ts'
import { findBulk, listBulkRowsUnscoped } from '../queries/bulk.ts'
import { listDocuments, nextCursor } from '../queries/documents.ts'
import { planBulk, startBulk } from '../templates/bulk.ts'
import { makeTemplate } from '../templates/make-template.ts'
import { presentBulk, presentPreview } from '../templates/present-bulk.ts'
import { readText } from '../templates/read-text.ts'
import { useTemplate } from '../templates/use-template.ts'

const kind = 'TEMPLATE'

export const templateRoutes = (context: SigningContext): Route[] => [...keepingRoutes(context), ...usingRoutes(context)]

const keepingRoutes = (context: SigningContext): Route[] => [
  route({
    ...endpoints.createTemplate,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary:
      'Make a template from a document; its recipients become roles; the same `Idempotency-Key` again returns the same template',
    handle: async ({ actor, body, http }) => {
      const { documentId, ...rest } = body
      const key = readIdempotencyKey(http.header('idempotency-key'))
      const id = await makeTemplate(context, { actor, id: documentId, from: http }, rest, key)
      return describeDocument(context, actor, { id, kind })
    },
  }),
  route({
    ...endpoints.listTemplates,
    access: 'user',
    summary: 'List templates, newest first',
    handle: async ({ actor, query }) => {
      const rows = await listDocuments(context.kernel.db, actor, { kind, ...query })
      const page = rows.slice(0, query.limit)
      return { data: page.map((row) => presentHead(row, row.signers)), next_cursor: nextCursor(rows, query) }
    },
  }),
  route({
    ...endpoints.getTemplate,
    access: 'user',
    summary: 'Get a template with its files, roles and fields',
    handle: ({ actor, params }) => describeDocument(context, actor, { id: params.id, kind }),
  }),
  route({
    ...endpoints.changeTemplate,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Change the settings of a template',
    handle: async ({ actor, params, body, http }) => {
      await changeDocument(context, { actor, id: params.id, from: http, kind }, body)
      return describeDocument(context, actor, { id: params.id, kind })
    },
  }),
  route({
    ...endpoints.deleteTemplate,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a template; documents made from it stay',
    handle: ({ actor, params, http }) => deleteDocument(context, { actor, id: params.id, from: http, kind }),
  }),
]

const usingRoutes = (context: SigningContext): Route[] => [
  route({
    ...endpoints.useTemplate,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary:
      'Make a document from a template, and send it at once if asked to; the same `Idempotency-Key` again returns the same document',
    handle: async ({ actor, params, body, http }) => {
      const change = { actor, id: params.id, from: http, kind } as const
      const key = readIdempotencyKey(http.header('idempotency-key'))
      const id = await useTemplate(context, change, { body, key })
      context.bus.wake()
      return describeDocument(context, actor, { id })
    },
  }),
  route({
    ...endpoints.sendInBulk,
    access: 'user',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary:
      'Send a template to every row of a CSV, or preview what is wrong with the rows; the same `Idempotency-Key` again returns the same job',
    upload: { maxBytes: 2 * 1024 * 1024 },
    handle: async ({ actor, params, body, http }) => {
      const csv = await readText(context, http.files)
      const planned = await planBulk(context, actor, { templateId: params.id, csv })
      if (body.preview === 'true') return presentPreview(params.id, planned)
      await prepareEarlierFiles(context, { actor, id: params.id, from: http, kind })
      const key = readIdempotencyKey(http.header('idempotency-key'))
      const job = await startBulk(context, actor, { templateId: params.id, planned, from: http, key })
      return presentBulk(job, await listBulkRowsUnscoped(context.kernel.db, job.id))
    },
  }),
  route({
    ...endpoints.getBulk,
    access: 'user',
    summary: 'Get the progress of a bulk job, row by row',
    handle: async ({ actor, params }) => {
      const job = await findBulk(context.kernel.db, actor, params.id)
      if (!job) throw new AppError('bulk_not_found')
      return presentBulk(job, await listBulkRowsUnscoped(context.kernel.db, job.id))
    },
  }),
]
