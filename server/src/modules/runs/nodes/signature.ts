/**
 * Sends a signing template, or a document that is made of a text, and waits until the document is signed, declined, expired or cancelled. Its state is read from
 * the document itself, so whatever happened before the run was parked, or while no server ran, is seen.
 */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { NodeFailure } from '../core/backoff.ts'
import type { ConfigOf, Executor, NodeCall, NodeResult } from '../shared/node-interface.ts'
import { getRunActor } from '../shared/run-actor.ts'
import type { Signatures } from '../shared/signatures.ts'

type Call = NodeCall<ConfigOf<'signature'>>

interface Needs {
  db: Db
  signatures: Pick<Signatures, 'send' | 'findUnscoped'>
}

export const signature =
  (needs: Needs): Executor<ConfigOf<'signature'>> =>
  (call) =>
    call.waiting ? checkDocument(needs, call.waiting.output) : send(needs, call)

const send = async ({ db, signatures }: Needs, { config, fill, run, node, now }: Call): Promise<NodeResult> => {
  const actor = await getRunActor(db, run)
  const text = (template: string | undefined) =>
    template === undefined ? undefined : asText(fill(template)) || undefined
  const request = {
    node: { runId: run.id, lineId: run.retryOf ?? run.id, nodeId: node.id },
    templateId: config.template_id,
    markdown: config.markdown,
    title: text(config.title),
    folder: text(config.folder),
    recipients: config.recipients.map(({ role, name, email, language }) => ({
      role,
      name: text(name) ?? '',
      email: text(email) ?? '',
      language: text(language),
    })),
    values: fill(config.values ?? {}) as Record<string, unknown>,
    expiresAt: config.expires_sec === undefined ? null : new Date(now.getTime() + config.expires_sec * 1000),
    correlationId: run.correlationId,
  }
  try {
    const { documentId, title } = await signatures.send(actor, request)
    return { kind: 'waiting', wakeAt: null, output: { document_id: documentId, title, state: 'SENT' } }
  } catch (problem) {
    throw inWords(problem)
  }
}

/** A text that is a single placeholder may become a number. */
const asText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value.trim() : JSON.stringify(value)

/** Every problem with the template's roles and fields, and not only that there are some. */
const inWords = (problem: unknown): unknown => {
  if (!(problem instanceof AppError) || !problem.problems?.length) return problem
  const list = problem.problems.map(({ msg }) => msg).join(' ')
  return new NodeFailure(`The document could not be sent. ${list}`, {
    canRetry: false,
    output: { code: problem.code },
  })
}

const checkDocument = async ({ db, signatures }: Needs, sent: unknown): Promise<NodeResult> => {
  const documentId = isJsonObject(sent) ? String(sent.document_id) : ''
  const document = await signatures.findUnscoped(db, documentId)
  if (!document)
    throw new NodeFailure('The document that was sent no longer exists.', {
      canRetry: false,
      output: { code: 'document_not_found' },
    })
  if (document.outcome === 'open') return { kind: 'waiting', wakeAt: null }
  return { kind: 'done', output: document.facts, handle: document.outcome }
}
