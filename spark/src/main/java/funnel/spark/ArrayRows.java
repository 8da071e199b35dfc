package funnel.spark;

import java.util.Iterator;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Arrays of equal length as rows of a data set, without a row object for each. */
final class ArrayRows {

  private ArrayRows() {}

  /** A column of a data set, as chunks have elements. */
  static StructField field(String name, ChunkType type) {
    return DataTypes.createStructField(
        name,
        switch (type) {
          case BYTES, INTS -> DataTypes.IntegerType;
          case LONGS -> DataTypes.LongType;
          case FLOATS -> DataTypes.FloatType;
          case DOUBLES -> DataTypes.DoubleType;
        },
        false);
  }

  static Dataset<Row> dataset(
      SparkSession session, JavaRDD<Object[]> arrays, StructField... fields) {
    if (!(session instanceof org.apache.spark.sql.classic.SparkSession classic)) {
      throw new UnsupportedOperationException(
          "the session is of Spark Connect: run the driver where the data is");
    }
    DataType[] types = Stream.of(fields).map(StructField::dataType).toArray(DataType[]::new);
    JavaRDD<InternalRow> rows = arrays.flatMap(columns -> rows(types, columns));
    return classic.internalCreateDataFrame(rows.rdd(), DataTypes.createStructType(fields), false);
  }

  /** One row after the other, in the same object. */
  private static Iterator<InternalRow> rows(DataType[] types, Object... columns) {
    int length = ChunkType.length(columns[0]);
    ColumnVector[] vectors = new ColumnVector[columns.length];
    for (int c = 0; c < vectors.length; c++) {
      OnHeapColumnVector vector = new OnHeapColumnVector(length, types[c]);
      switch (columns[c]) {
        case int[] ints -> vector.putInts(0, length, ints, 0);
        case long[] longs -> vector.putLongs(0, length, longs, 0);
        case float[] floats -> vector.putFloats(0, length, floats, 0);
        case double[] doubles -> vector.putDoubles(0, length, doubles, 0);
        default -> {
          byte[] bytes = (byte[]) columns[c];
          for (int i = 0; i < length; i++) {
            vector.putInt(i, Byte.toUnsignedInt(bytes[i]));
          }
        }
      }
      vectors[c] = vector;
    }
    return new ColumnarBatch(vectors, length).rowIterator();
  }
}
