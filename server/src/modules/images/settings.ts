/** The settings under `images.`: the compatible server that makes images. */
import { z } from 'zod'
import type { Settings } from '#modules/settings/index.ts'
import type { ImagesConfig } from './config.ts'

export interface ImageSettings {
  url: string | undefined
  key: string | undefined
  model: string | undefined
  size: string | undefined
}

export const registerImageSettings = (
  { register }: Pick<Settings, 'register'>,
  config: ImagesConfig,
): (() => ImageSettings) => {
  const setting = (name: string, environment: string | undefined, sentence: string, schema: z.ZodType<string>) =>
    register<string | undefined>({
      key: `images.${name}`,
      type: name === 'key' ? 'secret' : 'text',
      schema,
      environment,
      fallback: undefined,
      sentence,
    })
  const Text = z.string().trim().min(1).max(500)
  const url = setting(
    'url',
    config.IMAGES_API_BASE_URL,
    'The compatible server that makes images, such as https://api.example.com/v1.',
    z.url({ protocol: /^https?$/ }).max(2000),
  )
  const key = setting('key', config.IMAGES_API_KEY, 'Its key.', Text)
  const model = setting('model', config.IMAGES_MODEL, 'Its model.', Text)
  const size = setting('size', config.IMAGES_SIZE, 'The size of images, such as 1024x1024.', Text)
  return () => ({ url: url(), key: key(), model: model(), size: size() })
}
