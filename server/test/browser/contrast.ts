/**
 * Text that is hard to read on its background, by the limits of WCAG 2 (AA). axe has a rule for it that first finds out
 * what covers what on the whole page, which was a third of an inspection. Here, the background of a text is what its
 * ancestors paint, as everywhere in the app. The values and placeholders of fields are checked as well.
 *
 * Runs in the page, as the text of this file: it can import nothing.
 */
export type Color = readonly [red: number, green: number, blue: number, alpha: number]

/** An element's paint. */
interface Paint {
  /** Behind its content. */
  ground: Color
  isHidden: boolean
  /** Over an image or through a filter, nobody can say which color it has. */
  isUnknown: boolean
  /** A color of its content after the opacities of all ancestors. */
  look(color: Color): Color
}

const colors = new Map<string, Color>()

/** In any notation: the browser draws it, and we look. */
const readColor = (css: string): Color => {
  const known = colors.get(css)
  if (known) return known
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  if (!canvas) throw new Error('There is no canvas to read colors with.')
  canvas.fillStyle = css
  canvas.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
  const color: Color = [red, green, blue, alpha / 255]
  colors.set(css, color)
  return color
}

const mix = (top: Color, below: Color, share: number): Color => {
  const channel = (at: 0 | 1 | 2) => top[at] * share + below[at] * (1 - share)
  return [channel(0), channel(1), channel(2), 1]
}

const over = (top: Color, below: Color): Color => mix(top, below, top[3])

const luminance = (color: Color): number => {
  const linear = (at: 0 | 1 | 2) => {
    const part = color[at] / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2)
}

export const contrastOf = (one: Color, other: Color): number => {
  const [first, second] = [luminance(one) + 0.05, luminance(other) + 0.05]
  return Math.max(first, second) / Math.min(first, second)
}

const paints = new Map<Element, Paint>()

const paintOf = (element: Element): Paint => {
  const known = paints.get(element)
  if (known) return known
  const parent = element.parentElement
    ? paintOf(element.parentElement)
    : { ground: readColor('Canvas'), isHidden: false, isUnknown: false, look: (color: Color) => color }
  const { opacity, backgroundColor, backgroundImage, filter, mixBlendMode, clipPath } = getComputedStyle(element)
  const share = Number(opacity)
  const paint: Paint = {
    ground: over(readColor(backgroundColor), parent.ground),
    // The clip is that of text for screen readers only.
    isHidden: parent.isHidden || share === 0 || clipPath === 'inset(50%)',
    isUnknown: parent.isUnknown || backgroundImage !== 'none' || filter !== 'none' || mixBlendMode !== 'normal',
    look: share === 1 ? parent.look : (color) => parent.look(mix(color, parent.ground, share)),
  }
  paints.set(element, paint)
  return paint
}

const isExempt = (element: Element): boolean =>
  element.closest(':disabled, [aria-disabled=true], [inert], option, svg') !== null ||
  element.closest('label')?.control?.matches(':disabled') === true ||
  !element.checkVisibility({ visibilityProperty: true })

/** Undefined where it can be read. */
const judge = (element: Element, text: string, style: CSSStyleDeclaration): string | undefined => {
  const paint = paintOf(element)
  const color = readColor(style.color)
  // A wholly transparent text is drawn by something else, such as the colors of an expression.
  if (color[3] === 0 || paint.isHidden || paint.isUnknown || isExempt(element)) return undefined
  const contrast = contrastOf(paint.look(over(color, paint.ground)), paint.look(paint.ground))
  const size = Number.parseFloat(style.fontSize)
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
  const needed = isLarge ? 3 : 4.5
  return contrast < needed ? `“${text.trim().slice(0, 40)}” has ${contrast.toFixed(2)} of ${needed}` : undefined
}

const judgeField = (field: Pick<HTMLInputElement, 'value' | 'placeholder'> & Element): string | undefined => {
  if (field.value !== '') return judge(field, field.value, getComputedStyle(field))
  return judge(field, field.placeholder, getComputedStyle(field, '::placeholder'))
}

/** Those that show no text. */
const mute = ['checkbox', 'radio', 'range', 'color', 'file', 'hidden'].map((type) => `[type=${type}]`).join()

export const findFaintText = (): string[] => {
  const fields = document.querySelectorAll<HTMLInputElement>(`input:not(${mute}), textarea`)
  const found = [...fields].map(judgeField)
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { parentElement: element, data } = texts.currentNode as Text
    if (element && data.trim() !== '') found.push(judge(element, data, getComputedStyle(element)))
  }
  return [...new Set(found)].filter((problem) => problem !== undefined)
}
