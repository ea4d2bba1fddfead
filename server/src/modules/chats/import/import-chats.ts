/**
 * Imports exported chats from a stream, chat by chat: each is one transaction, so a broken one, a cut connection or a
 * crash loses at most the chat it concerns. What could not be imported is reported with its reason.
 */
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportReply } from '@chancery/contract/chats/chats.ts'
import type { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import type { ChatsContext } from '../context.ts'
import { maxChatParts } from '../tree/history.ts'
import { storeChat } from '../writing/create-chat.ts'
import { beginImport, type Progress } from './progress.ts'
import { readRecord, titleOf } from './read-record.ts'
import { type RecordCut, RecordSplitter } from './split-records.ts'

/** A chat has at most 8 MB of text; some exports hold it twice, with escapes. */
const maxRecordBytes = 32 * 1024 * 1024
const largeRecordBytes = 128 * 1024
const maxImportBytes = 500 * 1024 * 1024
/** Beyond this, only their number is reported. */
const maxReported = 1000
/** With more of them the file is no export, and is read no further. */
const maxSkipped = 10_000

type Report = z.input<typeof ImportReply>

interface Request {
  /** The caller's id for this import, where one was sent. */
  id: string | undefined
  incoming: Readable
  /** The `Content-Length` header, where it was sent. */
  length: number | undefined
  signal: AbortSignal
}

export const importChats = async (context: ChatsContext, actor: Actor, request: Request): Promise<Report> => {
  await context.requireWritable(context.db, actor)
  if ((request.length ?? 0) > maxImportBytes) throw new AppError('body_too_large')
  const progress = await beginImport(context, actor, request)
  const report: Report = { import_id: progress.id, imported: 0, ids: [], skipped_count: 0, skipped: [] }
  try {
    for await (const cut of recordsIn(request, progress)) {
      if (cut.kind === 'not_json' && report.imported + report.skipped_count === 0) throw new AppError('invalid_json')
      await importOne(context, actor, { cut, report, progress })
    }
  } catch (problem) {
    await progress.fail(problem)
    throw problem
  }
  await progress.finish()
  return report
}

async function* recordsIn({ incoming, signal }: Request, progress: Progress): AsyncGenerator<RecordCut> {
  const splitter = new RecordSplitter({ maxRecordBytes })
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    signal.throwIfAborted()
    progress.readBytes += chunk.length
    if (progress.readBytes > maxImportBytes) throw new AppError('body_too_large')
    yield* splitter.push(chunk)
    await progress.storeSkipped()
  }
  yield* splitter.end()
}

interface Step {
  cut: RecordCut
  report: Report
  progress: Progress
}

const importOne = async (context: ChatsContext, actor: Actor, { cut, report, progress }: Step): Promise<void> => {
  const index = report.imported + report.skipped_count
  let title: string | null = null
  try {
    const value = parse(cut)
    // The largest chats take tens of milliseconds for each step.
    if ('bytes' in cut && cut.bytes.length > largeRecordBytes) await nextTurn()
    title = titleOf(value)
    const request = readRecord(value, { newId: () => context.ids.next() })
    const chat = await storeChat(context, actor, { request, before: (tx) => progress.countImported(tx) })
    report.ids.push(chat.id)
    report.imported += 1
  } catch (problem) {
    if (!(problem instanceof AppError)) throw problem
    progress.countSkipped()
    report.skipped_count += 1
    if (report.skipped_count > maxSkipped) throw notAnExport()
    if (report.skipped.length < maxReported)
      report.skipped.push({ index, title, code: problem.code, reason: problem.message })
  }
}

const notAnExport = (): AppError =>
  new AppError('history_invalid', { detail: `More than ${maxSkipped} entries of this file are not chats.` })

const parse = (cut: RecordCut): unknown => {
  if (cut.kind === 'too_large') throw new AppError('chat_too_large')
  if (cut.kind === 'truncated')
    throw new AppError('invalid_json', { detail: 'The file ends in the middle of this chat.' })
  if (cut.kind === 'not_json')
    throw new AppError('invalid_json', { detail: 'From here on the file is not valid JSON. The rest was not read.' })
  try {
    return parseForeign(cut.bytes.toString('utf8'), { tooLarge: 'chat_too_large', maxParts: maxChatParts })
  } catch (problem) {
    if (problem instanceof AppError) throw problem
    throw new AppError('invalid_json', { detail: 'This chat is not valid JSON.' })
  }
}
