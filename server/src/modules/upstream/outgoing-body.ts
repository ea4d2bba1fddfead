/** A request as it leaves: with the backend's name for its model, and nothing that would steer it elsewhere. Pure. */
import { isSteeringField } from '#modules/models/index.ts'
import type { Fields } from './dress-request.ts'

/** In any case of letters: runtimes written in Go read `Model` as `model`, and of two the last one counts. */
const namesModel = (name: string): boolean => ['model', 'name'].includes(name.toLowerCase())

export const outgoingBody = (body: Fields): ((nativeId: string) => string) => {
  const field = body.model === undefined ? 'name' : 'model'
  const rest = Object.entries(body).filter(([name]) => !namesModel(name) && !isSteeringField(name))
  return (nativeId) => JSON.stringify(Object.fromEntries([[field, nativeId], ...rest]))
}
