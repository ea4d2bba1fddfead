/** `/upstream/*`: bodies are the runtime's own; we read the model's name and leave the rest as it is. */
import { z } from 'zod'

const modelName = z.string().min(1).max(300)

/** `name` is what older clients send. */
export const RuntimeBody = z.looseObject({ model: modelName.optional(), name: modelName.optional() })
export const RuntimeCopyBody = z.looseObject({ source: modelName, destination: modelName })

/** Which runtime is meant. Model names are that runtime's own then. Without it: the one that serves the model, or the first. */
export const RuntimeChoice = z.object({ connection_id: z.uuid().optional() })
export type RuntimeChoice = z.infer<typeof RuntimeChoice>
