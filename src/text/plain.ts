/** Text from configs and datasets may hold control characters that a terminal would obey. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
