/** Retrieval: what the request's files and collections say to its question. */
import type { CompletionBody } from '@chancery/contract/completions.ts'
import { AppError } from '#kernel/errors.ts'
import type { CompletionsContext } from '../context.ts'
import { lastUserText } from './message-text.ts'
import type { PipelineRequest } from './request.ts'
import { withContext } from './retrieved-context.ts'

export interface Sourced {
  body: CompletionBody
  sources: unknown[]
}

/** Only what has been processed can be searched (contract, Knowledge collection). */
export const usableFiles = (body: CompletionBody) =>
  (body.files ?? []).filter(({ status }) => status === undefined || status === 'processed')

export const findSources = async (
  { retriever }: Pick<CompletionsContext, 'retriever'>,
  { actor, signal }: PipelineRequest,
  body: CompletionBody,
): Promise<Sourced> => {
  const files = usableFiles(body)
  if (files.length === 0) return { body, sources: [] }
  if (!retriever) throw new AppError('retrieval_unavailable')
  const { sources, context } = await retriever.retrieve({ actor, files, query: lastUserText(body.messages), signal })
  return { body: { ...body, messages: withContext(body.messages, context) }, sources }
}
