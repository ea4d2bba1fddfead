/** Reads an uploaded picture and makes it a PNG that is small enough to send. */

const maxWidth = 900
const maxHeight = 450
/** The server takes 400,000 characters of base64. */
const maxCharacters = 380_000
const smallest = 0.1

const draw = (picture: ImageBitmap, scale: number): string => {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/png').split(',')[1] ?? ''
}

/** Undefined where the file is no picture. */
export async function readPicture(file: Blob): Promise<string | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (picture === undefined) return undefined
  let scale = Math.min(1, maxWidth / picture.width, maxHeight / picture.height)
  let png = draw(picture, scale)
  for (; png.length > maxCharacters && scale > smallest; png = draw(picture, scale)) scale *= 0.7
  picture.close()
  return png === '' || png.length > maxCharacters ? undefined : png
}
