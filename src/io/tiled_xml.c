/* tiled_xml.c: Tiled maps and tilesets in XML (`.tmx`, `.tsx`), by expat (only if built with
 * CAIRN_WITH_EXPAT); tiled_elements.c knows what elements mean.
 *
 * The document type that old files name is never fetched; entities of one's own are refused, as no
 * editor writes them and they can make gigabytes of a line. expat's hooks for memory have no user
 * pointer, so its memory is the C library's: a copy of the text, which doubles as it grows, and
 * some for each name that is new, so up to twice the text's size for maps of the editor and 12
 * times for the worst; hence the text's limit.
 */
#include "io/tiled_elements.h"

#if defined(CAIRN_WITH_EXPAT)

#include <expat.h>

typedef struct xml_reader {
    XML_Parser parser;
    crn_tiled_elements *elements;
} xml_reader;

/* Before each element: its line. After it: whether to go on. */
static void xml_place(const xml_reader *reader)
{
    reader->elements->line = (uint32_t)XML_GetCurrentLineNumber(reader->parser);
}

static void xml_look(const xml_reader *reader)
{
    if (reader->elements->status) XML_StopParser(reader->parser, XML_FALSE);
}

static void XMLCALL xml_begin(void *user, const XML_Char *name, const XML_Char **attributes)
{
    xml_reader *reader = user;
    if (reader->elements->status) return;
    xml_place(reader);
    crn_tiled_element_begin(reader->elements, name, (const char *const *)attributes);
    xml_look(reader);
}

static void XMLCALL xml_end(void *user, const XML_Char *name)
{
    (void)name;
    xml_reader *reader = user;
    if (reader->elements->status) return;
    xml_place(reader);
    crn_tiled_element_end(reader->elements);
    xml_look(reader);
}

static void XMLCALL xml_text(void *user, const XML_Char *text, int length)
{
    xml_reader *reader = user;
    crn_tiled_element_text(reader->elements, text, (size_t)length);
}

static void XMLCALL xml_entity(void *user, const XML_Char *name, int is_parameter,
                               const XML_Char *value, int value_length, const XML_Char *base,
                               const XML_Char *system_id, const XML_Char *public_id,
                               const XML_Char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)value_length, (void)base, (void)system_id,
        (void)public_id;
    (void)notation;
    xml_reader *reader = user;
    if (reader->elements->status) return;
    xml_place(reader);
    reader->elements->status =
        crn_io_fail(reader->elements->model->error, CAIRN_BAD_DATA, reader->elements->line,
                    "entities of the document's own are not accepted");
    xml_look(reader);
}

/* ---- the document ---- */

static cairn_status xml_outcome(xml_reader *reader, enum XML_Status parsed)
{
    cairn_error *error = reader->elements->model->error;
    if (reader->elements->status) return reader->elements->status;
    enum XML_Error code = XML_GetErrorCode(reader->parser);
    if (parsed != XML_STATUS_OK && code == XML_ERROR_NO_MEMORY) return crn_io_no_memory(error);
    if (parsed != XML_STATUS_OK)
        return crn_io_fail(error, CAIRN_BAD_DATA,
                           (uint32_t)XML_GetCurrentLineNumber(reader->parser),
                           "the XML is damaged: %.100s", XML_ErrorString(code));
    return CAIRN_OK;
}

static cairn_status xml_run(xml_reader *reader, const char *data, size_t size)
{
    reader->parser = XML_ParserCreate(NULL);
    if (!reader->parser) return crn_io_no_memory(reader->elements->model->error);
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, xml_begin, xml_end);
    XML_SetCharacterDataHandler(reader->parser, xml_text);
    XML_SetEntityDeclHandler(reader->parser, xml_entity);
    /* In one piece (it fits: CRN_TILED_TEXT_MAX): so nothing is scanned twice, however long a token
     * is. */
    enum XML_Status parsed = XML_Parse(reader->parser, data, (int)size, 1);
    cairn_status status = xml_outcome(reader, parsed);
    XML_ParserFree(reader->parser);
    return status;
}

cairn_status crn_tiled_read_xml(crn_tiled *model, const char *data, size_t size, uint32_t set)
{
    xml_reader reader = {.elements = crn_tiled_elements_create(model, set)};
    if (!reader.elements) return CAIRN_OUT_OF_MEMORY;
    cairn_status status = xml_run(&reader, data, size);
    crn_tiled_elements_destroy(reader.elements);
    return status;
}

#else

cairn_status crn_tiled_read_xml(crn_tiled *model, const char *data, size_t size, uint32_t set)
{
    (void)data, (void)size, (void)set;
    return crn_io_fail(model->error, CAIRN_UNSUPPORTED, 0,
                       "this build of the library cannot read XML: it was built without expat");
}

#endif
