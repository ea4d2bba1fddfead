/** Models that read documents: settings, questions, summaries. */
import * as endpoints from '@chancery/contract/endpoints/signing.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { askDocument, changeAiSettings, proposeSummary, readAiSettings } from '../ai/read-document.ts'
import type { SigningContext } from '../context.ts'

const limits = [{ per: 'actor', max: 30, windowSec: 60 }] as const

export const aiRoutes = (context: SigningContext): Route[] => [
  route({
    ...endpoints.getAiSettings,
    access: 'user',
    summary: 'Whether a model may read documents, and which',
    handle: ({ actor }) => readAiSettings(context, actor),
  }),
  route({
    ...endpoints.setAiSettings,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Let a model read documents, or stop it; for admins of an organization',
    handle: ({ actor, body }) => changeAiSettings(context, actor, body),
  }),
  route({
    ...endpoints.askDocument,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Ask a model about a document; the answer cites pages',
    limits,
    handle: ({ actor, params, body, http }) =>
      askDocument(context, actor, { id: params.id, question: body.question, signal: http.signal }),
  }),
  route({
    ...endpoints.summarizeDocument,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Propose a plain summary for recipients; save it by PATCH of the document',
    limits,
    handle: ({ actor, params, http }) => proposeSummary(context, actor, { id: params.id, signal: http.signal }),
  }),
]
