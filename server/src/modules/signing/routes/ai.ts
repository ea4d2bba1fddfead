/** Models that read documents: settings, questions, summaries. */
import { AiSettings, AiSettingsBody, AskBody, AskReply, SummaryReply } from '@chancery/contract/signing-ai.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { askDocument, changeAiSettings, proposeSummary, readAiSettings } from '../ai/read-document.ts'
import type { SigningContext } from '../context.ts'

const limits = [{ per: 'actor', max: 30, windowSec: 60 }] as const

export const aiRoutes = (context: SigningContext): Route[] => [
  route({
    method: 'GET',
    path: '/api/signing/ai',
    access: 'user',
    summary: 'Whether a model may read documents, and which',
    reply: AiSettings,
    handle: ({ actor }) => readAiSettings(context, actor),
  }),
  route({
    method: 'PUT',
    path: '/api/signing/ai',
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Let a model read documents, or stop it; for admins of an organization',
    body: AiSettingsBody,
    reply: AiSettings,
    handle: ({ actor, body }) => changeAiSettings(context, actor, body),
  }),
  route({
    method: 'POST',
    path: '/api/signing/documents/:id/ask',
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Ask a model about a document; the answer cites pages',
    limits,
    body: AskBody,
    reply: AskReply,
    handle: ({ actor, params, body, http }) =>
      askDocument(context, actor, { id: params.id, question: body.question, signal: http.signal }),
  }),
  route({
    method: 'POST',
    path: '/api/signing/documents/:id/summary',
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Propose a plain summary for recipients; save it by PATCH of the document',
    limits,
    reply: SummaryReply,
    handle: ({ actor, params, http }) => proposeSummary(context, actor, { id: params.id, signal: http.signal }),
  }),
]
