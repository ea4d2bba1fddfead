/** Images that a model has made: `features.image_generation` and the tool behind it. The public interface of the module. */
import { AppError } from '#kernel/errors.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { Files } from '#modules/files/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { Settings } from '#modules/settings/index.ts'
import { type BuiltinTool, builtinSource, type Tools } from '#modules/tools/index.ts'
import type { ImagesConfig } from './config.ts'
import { generateImage, type ImagesContext } from './generate-image.ts'
import { registerImageSettings } from './settings.ts'

interface Needs {
  kernel: Kernel<ImagesConfig>
  files: Files
  models: Pick<Models, 'meter'>
  settings: Settings
  tools: Tools
  completions: Completions
}

const toolId = 'builtin:images'
const maxPromptLength = 4000

export const createImages = ({ kernel, files, models, settings, tools, completions }: Needs): Module => {
  const { config, log, outbound } = kernel
  const context: ImagesContext = {
    files,
    log,
    outbound,
    meter: models.meter,
    settings: registerImageSettings(settings, config),
  }
  const isReady = () => context.settings().url !== undefined
  tools.registerSource(
    builtinSource({
      id: toolId,
      name: 'Images',
      description: 'Makes images from a description.',
      isFor: isReady,
      tools: [imageTool(context)],
    }),
  )
  completions.registerFeature('image_generation', async (body, { emit }) => {
    if (isReady()) return { ...body, tool_ids: [...new Set([...(body.tool_ids ?? []), toolId])] }
    emit({
      type: 'status',
      data: { action: 'image_generation', description: "Making images isn't set up on this server.", done: true },
    })
    return body
  })
  return { routes: [] }
}

const imageTool = (context: ImagesContext): BuiltinTool => ({
  name: 'generate_image',
  routes: [],
  description: 'Makes an image from a description and shows it to the person. Call it once for each image.',
  parameters: {
    type: 'object',
    properties: { prompt: { type: 'string', description: 'What the image shows, in detail.' } },
    required: ['prompt'],
  },
  run: async ({ prompt }, { actor, emit, signal }) => {
    if (typeof prompt !== 'string' || prompt.trim() === '' || prompt.length > maxPromptLength)
      throw new AppError('tool_failed', { detail: `Give prompt as text of 1 to ${maxPromptLength} characters.` })
    const file = await generateImage(context, { actor, prompt: prompt.trim(), signal })
    const url = `/api/v1/files/${file.id}/content`
    emit({ type: 'files', data: { files: [{ type: 'image', id: file.id, name: file.name, url }] } })
    return { content: `The image was made and is shown to the person. Its address is ${url}` }
  },
})
