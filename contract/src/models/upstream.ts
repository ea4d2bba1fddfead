/** `/upstream/*`: bodies are the runtime's own. We read the model's name and leave the rest as it is. */
import { z } from 'zod'

const modelName = z.string().min(1).max(300)

/** Older clients send `name`. */
export const RuntimeBody = z.looseObject({ model: modelName.optional(), name: modelName.optional() })
export const RuntimeCopyBody = z.looseObject({ source: modelName, destination: modelName })

/** Chooses a runtime; model names are then that runtime's own. Without it: the runtime that serves the model, or the first. */
export const RuntimeChoice = z.object({ connection_id: z.uuid().optional() })
export type RuntimeChoice = z.infer<typeof RuntimeChoice>
