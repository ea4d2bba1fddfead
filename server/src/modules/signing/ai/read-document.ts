/** Lets a model read a document, for its owner: questions with page citations, and a summary to propose to recipients. */
import { can } from '@chancery/contract/abilities.ts'
import type { AiSettings, AskReply } from '@chancery/contract/signing/ai.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { problem } from '#kernel/http/bodies/validation.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { SigningContext } from '../context.ts'
import { getDocument } from '../documents/with-document.ts'
import { findAiSettings, saveAiSettings } from '../queries/ai.ts'
import type { DocumentRow } from '../queries/documents.ts'
import { listFilesUnscoped } from '../queries/files.ts'
import {
  type Excerpt,
  excerptOf,
  longestSummary,
  type PageText,
  questionPrompt,
  readAnswer,
  summaryPrompt,
} from './prompt.ts'

const patienceMs = 60_000

export const readAiSettings = async ({ kernel: { db } }: SigningContext, actor: Actor): Promise<AiSettings> => {
  const { enabled = false, model = null } = (await findAiSettings(db, actor)) ?? {}
  return { enabled, model }
}

/** For the organization's admins, or a person without an organization. */
export const changeAiSettings = async (
  { kernel: { db, clock }, organizations }: SigningContext,
  actor: Actor,
  settings: AiSettings,
): Promise<AiSettings> => {
  if (!can(actor, 'set-signing-assistant')) throw new AppError('forbidden')
  if (settings.enabled && settings.model === null) throw problem(['model'], 'Choose a model.', 'missing')
  await db.transaction().execute(async (tx) => {
    await organizations.requireWritable(tx, actor)
    await saveAiSettings(tx, actor, { ...settings, updatedAt: clock.now() })
  })
  return settings
}

interface Reading {
  id: string
  signal: AbortSignal
}

export const askDocument = async (
  context: SigningContext,
  actor: Actor,
  { id, signal, question }: Reading & { question: string },
): Promise<AskReply> => {
  const { model, excerpt } = await prepare(context, actor, id)
  const text = await complete(context, actor, { model, messages: questionPrompt(excerpt, question), signal })
  return { ...readAnswer(text, excerpt), isPartial: excerpt.isPartial }
}

export const proposeSummary = async (context: SigningContext, actor: Actor, { id, signal }: Reading) => {
  const { model, excerpt, document } = await prepare(context, actor, id)
  const messages = summaryPrompt(excerpt, document.language)
  const text = await complete(context, actor, { model, messages, signal })
  return { text: text.trim().slice(0, longestSummary), isPartial: excerpt.isPartial }
}

const prepare = async (
  context: SigningContext,
  actor: Actor,
  id: string,
): Promise<{ model: string; excerpt: Excerpt; document: DocumentRow }> => {
  const document = await getDocument(context.kernel.db, actor, { id })
  const { enabled, model } = await readAiSettings(context, actor)
  if (!enabled || model === null) throw new AppError('signing_ai_off')
  const excerpt = excerptOf(await readPages(context, actor, document))
  if (excerpt.pages.every(({ text }) => text.trim() === '')) throw new AppError('document_without_text')
  return { model, excerpt, document }
}

const readPages = async (
  { kernel: { db }, pdfWork }: SigningContext,
  actor: Actor,
  document: DocumentRow,
): Promise<PageText[]> => {
  const pages: PageText[] = []
  for (const { id: fileId, name: fileName, blobKey } of await listFilesUnscoped(db, document.id)) {
    const texts = await pdfWork.text(blobKey, scopeOf(actor))
    pages.push(...texts.map((text, index) => ({ fileId, fileName, page: index + 1, text })))
  }
  return pages
}

interface Question {
  model: string
  messages: { role: 'system' | 'user'; content: string }[]
  signal: AbortSignal
}

/** Through the same pipeline as chats: access, limits and usage are those of the person who asks. */
const complete = async (
  { completions }: SigningContext,
  actor: Actor,
  { model, messages, signal }: Question,
): Promise<string> => {
  const late = AbortSignal.timeout(patienceMs)
  const request = { actor, body: { model, messages, stream: false }, signal: AbortSignal.any([signal, late]) }
  const outcome = await completions.complete(request).catch((problem: unknown) => {
    throw late.aborted && !signal.aborted ? new AppError('provider_timeout', { cause: problem }) : problem
  })
  const choices = outcome.kind === 'whole' ? outcome.completion.choices : undefined
  const [choice] = Array.isArray(choices) ? (choices as { message?: { content?: unknown } }[]) : []
  const content = choice?.message?.content
  if (typeof content !== 'string' || content.trim() === '') throw new AppError('provider_failed')
  return content
}
