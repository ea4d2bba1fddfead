/** The server that makes images. */
import { text, url, type ValuesOf, web } from '#kernel/config/variable.ts'

export const imagesVariables = {
  Files: {
    IMAGES_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none: models make no images',
      protocols: web,
      sentence: 'The compatible server that makes images for `features.image_generation`.',
    }),
    IMAGES_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    IMAGES_MODEL: text({ fallback: undefined, fallbackText: "the server's own", sentence: 'Its model.' }),
    IMAGES_SIZE: text({
      fallback: undefined,
      fallbackText: "the model's own",
      sentence: 'The size of images, such as 1024x1024.',
    }),
  },
} as const
export type ImagesConfig = ValuesOf<typeof imagesVariables>
