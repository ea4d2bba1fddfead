/** The last refusal is kept, with its sentence, for whoever sets the directory up. */
import { AppError } from '#kernel/errors.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { Directory, ScimContext } from '../context.ts'
import { saveSettings } from '../queries/settings.ts'

interface Call {
  actor: Directory
  http: HttpCall
}

/** Directories look whether somebody exists before they create them, so what isn't found is no refusal. */
const isWorthNoting = ({ status }: AppError): boolean => status < 500 && status !== 404

export const notingRefusals = async (
  { db, clock }: Pick<ScimContext, 'db' | 'clock'>,
  { actor, http }: Call,
  work: () => Promise<RawReply>,
): Promise<RawReply> => {
  try {
    return await work()
  } catch (problem) {
    if (problem instanceof AppError && isWorthNoting(problem)) {
      const refusedCall = `${http.method} ${http.url.slice(0, 300)}`
      await saveSettings(db, actor, { refusedAt: clock.now(), refusedCall, refusal: problem.message.slice(0, 500) })
    }
    throw problem
  }
}
