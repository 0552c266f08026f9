const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether this is written as ids are. */
export const isId = (text: string): boolean => UUID.test(text.trim());
